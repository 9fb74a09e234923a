//===- RegionOnVectors.cpp - Scalar regions on vectors --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionOnVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<Value> kernel::computeOnVectors(OpBuilder &b, Region &region,
                                            ValueRange values, Type type) {
  Block &block = region.front();
  auto vector = dyn_cast<VectorType>(type);
  IRMapping mapping;
  mapping.map(block.getArguments(), values);
  for (Operation &op : block.without_terminator()) {
    Operation *copy = b.clone(op, mapping);
    if (!vector)
      continue;
    for (Value result : copy->getResults())
      result.setType(vector.clone(result.getType()));
    if (auto constant = dyn_cast<arith::ConstantOp>(copy))
      constant.setValueAttr(DenseElementsAttr::get(
          cast<VectorType>(constant.getType()), constant.getValue()));
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value v) { return mapping.lookup(v); });
}
