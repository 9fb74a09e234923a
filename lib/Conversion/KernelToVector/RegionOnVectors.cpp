//===- RegionOnVectors.cpp - Scalar regions on vectors --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionOnVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::nnet3;

/// A constant in each element of a vector.
static Value createSplat(OpBuilder &builder, arith::ConstantOp constant,
                         int64_t length) {
  auto type = VectorType::get({length}, constant.getType());
  return arith::ConstantOp::create(
      builder, constant.getLoc(), type,
      DenseElementsAttr::get(type, constant.getValue()));
}

SmallVector<Value> kernel::computeOnVectors(OpBuilder &builder, Region &region,
                                            ValueRange values, int64_t length) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), values);
  for (Operation &op : block.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      mapping.map(constant.getResult(), createSplat(builder, constant, length));
      continue;
    }
    Operation *copy = builder.clone(op, mapping);
    for (Value result : copy->getResults())
      result.setType(VectorType::get({length}, result.getType()));
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value v) { return mapping.lookup(v); });
}
