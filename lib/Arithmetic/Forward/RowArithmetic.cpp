//===- RowArithmetic.cpp - Short names for what rows compute --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowArithmetic.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The type of `x` with another element.
static Type withElement(Value x, Type element) {
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    return vector.clone(element);
  return element;
}

Value RowArithmetic::match(Value x, Value other) {
  auto lanes = dyn_cast<VectorType>(other.getType());
  if (!lanes || isa<VectorType>(x.getType()))
    return x;
  return vector::BroadcastOp::create(builder, loc, lanes, x);
}

Value RowArithmetic::larger(Value a, Value b) {
  a = match(a, b);
  b = match(b, a);
  Value isLarger =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
  return arith::SelectOp::create(builder, loc, isLarger, a, b);
}

Value RowArithmetic::largest(Value x, Value before) {
  Value isNaN =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(builder, loc, isNaN, x, larger(x, before));
}

Value RowArithmetic::multiplyAdd(Value a, Value b, Value c) {
  a = match(match(a, b), c);
  return math::FmaOp::create(builder, loc, a, match(b, a), match(c, a));
}

Value RowArithmetic::widen(Value x) {
  return arith::ExtFOp::create(builder, loc,
                               withElement(x, builder.getF64Type()), x);
}

Value RowArithmetic::narrow(Value x) {
  return arith::TruncFOp::create(builder, loc,
                                 withElement(x, builder.getF32Type()), x);
}
