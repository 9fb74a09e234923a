//===- RowArithmetic.h - Short names for what rows compute ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_ROWARITHMETIC_H
#define NNET3_ARITHMETIC_FORWARD_ROWARITHMETIC_H

#include "nnet3/Arithmetic/RowEmission.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::nnet3 {

/// Creates operations for a row.
class RowArithmetic {
public:
  explicit RowArithmetic(RowEmission &row)
      : builder(row.getBuilder()), loc(row.getLoc()) {}

  Value number(float value) {
    return arith::ConstantOp::create(builder, loc, builder.getF32Type(),
                                     builder.getF32FloatAttr(value));
  }
  Value wideNumber(double value) {
    return arith::ConstantOp::create(builder, loc, builder.getF64Type(),
                                     builder.getF64FloatAttr(value));
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, Value b) { return create<arith::AddFOp>(a, b); }
  Value subtract(Value a, Value b) { return create<arith::SubFOp>(a, b); }
  Value multiply(Value a, Value b) { return create<arith::MulFOp>(a, b); }
  Value divide(Value a, Value b) { return create<arith::DivFOp>(a, b); }
  Value max(Value a, Value b) { return create<arith::MaximumFOp>(a, b); }
  /// a where it is larger than b, else b: b where one of them is NaN.
  Value larger(Value a, Value b) {
    Value isLarger =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
    return arith::SelectOp::create(builder, loc, isLarger, a, b);
  }
  /// The maximum so far, `before`, and x: the first NaN there is.
  Value largest(Value x, Value before) {
    Value isNaN =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
    return arith::SelectOp::create(builder, loc, isNaN, x, larger(x, before));
  }
  /// a b + c
  Value multiplyAdd(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value exp(Value x) { return math::ExpOp::create(builder, loc, x); }
  Value log(Value x) { return math::LogOp::create(builder, loc, x); }
  Value sqrt(Value x) { return math::SqrtOp::create(builder, loc, x); }
  Value tanh(Value x) { return math::TanhOp::create(builder, loc, x); }
  /// As f64, and as f32.
  Value widen(Value x) {
    return arith::ExtFOp::create(builder, loc, builder.getF64Type(), x);
  }
  Value narrow(Value x) {
    return arith::TruncFOp::create(builder, loc, builder.getF32Type(), x);
  }
  /// Column `at` + `offset`.
  Value shift(Value at, int64_t offset) { return shift(at, index(offset)); }
  Value shift(Value at, Value offset) {
    return arith::AddIOp::create(builder, loc, at, offset);
  }
  /// Index `at` times `factor`.
  Value scale(Value at, int64_t factor) {
    return arith::MulIOp::create(builder, loc, at, index(factor));
  }

private:
  template <typename OpTy> Value create(Value a, Value b) {
    return OpTy::create(builder, loc, a, b);
  }

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_ROWARITHMETIC_H
