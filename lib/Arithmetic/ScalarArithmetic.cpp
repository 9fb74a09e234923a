//===- ScalarArithmetic.cpp - Helpers for scalar operations ---------------===//
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

/// For large negative x, exp(-x) is infinite and the result is 0.
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

void ScalarArithmetic::forEachBelow(Value end, function_ref<void(Value)> body) {
  scf::ParallelOp::create(
      builder, loc, index(0), end, index(1),
      [&](OpBuilder &, Location, ValueRange at) { body(at[0]); });
}

SmallVector<Value>
ScalarArithmetic::sumOverThreads(Value begin, Value end, unsigned number,
                                 function_ref<SmallVector<Value>(Value)> body) {
  auto loop = scf::ParallelOp::create(
      builder, loc, begin, end, index(1),
      SmallVector<Value>(number, this->number(0)),
      [&](OpBuilder &, Location, ValueRange at, ValueRange) {
        auto last = scf::ReduceOp::create(builder, loc, body(at[0]));
        OpBuilder::InsertionGuard guard(builder);
        for (Region &region : last.getReductions()) {
          Block &block = region.front();
          builder.setInsertionPointToStart(&block);
          scf::ReduceReturnOp::create(
              builder, loc, add(block.getArgument(0), block.getArgument(1)));
        }
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}
