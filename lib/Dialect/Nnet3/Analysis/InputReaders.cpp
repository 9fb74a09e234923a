//===- InputReaders.cpp - Rows with columns of features -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/InputReaders.h"

using namespace mlir;
using namespace mlir::nnet3;

bool mlir::nnet3::hasInputColumns(Value rows) {
  // The values of a network may form cycles.
  DenseSet<Value> seen;
  SmallVector<Value> stack = {rows};
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (isa<InputNodeOp>(op))
      return true;
    if (!isa<ComponentNodeOp>(op) && seen.insert(next).second)
      llvm::append_range(stack, op->getOperands());
  }
  return false;
}
