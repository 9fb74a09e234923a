//===- ScalarArithmetic.cpp - Short names for operations on scalars -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/ScalarArithmetic.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nnet3;

Value ScalarArithmetic::splat(Value x, float value) {
  auto vector = dyn_cast<VectorType>(x.getType());
  if (!vector)
    return number(value);
  return create<arith::ConstantOp>(DenseElementsAttr::get(vector, value));
}

/// exp(-x) is infinite for large negative x, which gives 0.
Value ScalarArithmetic::sigmoid(Value x) {
  Value one = splat(x, 1);
  return divide(one, add(one, exp(create<arith::NegFOp>(x))));
}

SmallVector<Value> ScalarArithmetic::loop(
    Value begin, Value end, ValueRange inits,
    function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      builder, loc, begin, end, index(1), inits,
      [&](OpBuilder &, Location, Value i, ValueRange before) {
        scf::YieldOp::create(builder, loc, body(i, before));
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}
