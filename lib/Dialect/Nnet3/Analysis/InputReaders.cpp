//===- InputReaders.cpp - Rows with columns of features -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/InputReaders.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

static bool isAffineMap(Operation *op) {
  auto node = dyn_cast<ComponentNodeOp>(op);
  if (!node)
    return false;
  auto component = SymbolTable::lookupNearestSymbolFrom<ComponentOpInterface>(
      node, node.getComponentAttr());
  return component && component.getAffineDim() != 0;
}

bool mlir::nnet3::hasInputColumns(Value rows, bool throughMaps) {
  // Values of a network may form cycles.
  DenseSet<Value> seen;
  SmallVector<Value> stack = {rows};
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (isa<InputNodeOp>(op))
      return true;
    const bool passes =
        !isa<ComponentNodeOp>(op) || (throughMaps && isAffineMap(op));
    if (passes && seen.insert(next).second)
      llvm::append_range(stack, op->getOperands());
  }
  return false;
}
