//===- RegionOnVectors.cpp - Scalar regions on vectors --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionOnVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<Value> kernel::computeOnVectors(VectorEmitter &e, Region &region,
                                            ValueRange values, int64_t length) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), values);
  for (Operation &op : block.without_terminator()) {
    Operation *copy = e.getBuilder().clone(op, mapping);
    for (Value result : copy->getResults())
      result.setType(e.getType(length, result.getType()));
    if (auto constant = dyn_cast<arith::ConstantOp>(copy))
      if (auto type = dyn_cast<VectorType>(constant.getType()))
        constant.setValueAttr(
            DenseElementsAttr::get(type, constant.getValue()));
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value v) { return mapping.lookup(v); });
}
