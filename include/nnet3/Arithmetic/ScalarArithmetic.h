//===- ScalarArithmetic.h - Builders of scalar operations -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_SCALARARITHMETIC_H
#define NNET3_ARITHMETIC_SCALARARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::nnet3 {

/// Creates the operations for the formulas of components.
class ScalarArithmetic {
public:
  ScalarArithmetic(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }

  // Numbers.
  Value number(float value) {
    return create<arith::ConstantOp>(builder.getF32FloatAttr(value));
  }
  /// A constant of the type of `x`, with `value` in every element.
  Value splat(Value x, float value);
  /// An f64 constant.
  Value real(double value) {
    return create<arith::ConstantOp>(builder.getF64FloatAttr(value));
  }
  Value add(Value a, Value b) { return create<arith::AddFOp>(a, b); }
  Value subtract(Value a, Value b) { return create<arith::SubFOp>(a, b); }
  Value multiply(Value a, Value b) { return create<arith::MulFOp>(a, b); }
  Value divide(Value a, Value b) { return create<arith::DivFOp>(a, b); }
  /// a b + c
  Value multiplyAdd(Value a, Value b, Value c) {
    return create<math::FmaOp>(a, b, c);
  }
  Value max(Value a, Value b) { return create<arith::MaximumFOp>(a, b); }
  /// a if a > b, else b; thus b if one of them is NaN.
  Value larger(Value a, Value b) { return selectGreater(a, b, a, b); }
  /// Updates a running maximum `before` with x. Once the maximum is NaN, it
  /// remains NaN.
  Value largest(Value x, Value before) {
    return select(compare(arith::CmpFPredicate::UNO, x, x), x,
                  larger(x, before));
  }
  Value exp(Value x) { return create<math::ExpOp>(x); }
  Value log(Value x) { return create<math::LogOp>(x); }
  Value sqrt(Value x) { return create<math::SqrtOp>(x); }
  Value tanh(Value x) { return create<math::TanhOp>(x); }
  /// 1 / (1 + exp(-x)), elementwise.
  Value sigmoid(Value x);
  /// Convert f32 to f64, and f64 to f32.
  Value widen(Value x) {
    return create<arith::ExtFOp>(builder.getF64Type(), x);
  }
  Value narrow(Value x) {
    return create<arith::TruncFOp>(builder.getF32Type(), x);
  }

  // Indexes.
  Value index(int64_t value) { return create<arith::ConstantIndexOp>(value); }
  /// Index `at` + `offset`.
  Value shift(Value at, int64_t offset) { return shift(at, index(offset)); }
  Value shift(Value at, Value offset) {
    return create<arith::AddIOp>(at, offset);
  }
  Value minus(Value a, Value b) { return create<arith::SubIOp>(a, b); }
  /// Index `at` times `factor`.
  Value scale(Value at, int64_t factor) {
    return create<arith::MulIOp>(at, index(factor));
  }
  /// Index `row` * `columns` + `column`.
  Value at(Value row, int64_t columns, Value column) {
    return shift(scale(row, columns), column);
  }
  Value quotient(Value a, int64_t b) {
    return create<arith::DivUIOp>(a, index(b));
  }
  Value remainder(Value a, int64_t b) {
    return create<arith::RemUIOp>(a, index(b));
  }
  Value smaller(Value a, Value b) { return create<arith::MinSIOp>(a, b); }

  // Conditions.
  Value isLess(Value a, Value b) {
    return create<arith::CmpIOp>(arith::CmpIPredicate::slt, a, b);
  }
  Value isEqual(Value a, Value b) {
    return create<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
  }
  /// Floating-point comparisons a < b and a = b.
  Value isBelow(Value a, Value b) {
    return compare(arith::CmpFPredicate::OLT, a, b);
  }
  Value isNumber(Value a, Value b) {
    return compare(arith::CmpFPredicate::OEQ, a, b);
  }
  Value both(Value a, Value b) { return create<arith::AndIOp>(a, b); }
  Value either(Value a, Value b) { return create<arith::OrIOp>(a, b); }
  Value isNot(Value a) {
    return create<arith::XOrIOp>(a, create<arith::ConstantIntOp>(1, 1));
  }
  /// `yes` if `condition`, else `no`.
  Value select(Value condition, Value yes, Value no) {
    return create<arith::SelectOp>(condition, yes, no);
  }
  /// `yes` if a > b, else `no`.
  Value selectGreater(Value a, Value b, Value yes, Value no) {
    return select(compare(arith::CmpFPredicate::OGT, a, b), yes, no);
  }

  /// Emits an `scf.for` over `begin`, ..., `end` - 1 with loop-carried values,
  /// which are `inits` at first. `body` returns their next values.
  SmallVector<Value>
  loop(Value begin, Value end, ValueRange inits,
       function_ref<SmallVector<Value>(Value, ValueRange)> body);

  /// Emits an `scf.parallel` over 0, ..., `end` - 1, which threads share.
  void forEachBelow(Value end, function_ref<void(Value)> body);
  /// `number` sums over `begin`, ..., `end` - 1, computed by all threads of a
  /// block or a warp. `body` returns a term for each sum.
  SmallVector<Value>
  sumOverThreads(Value begin, Value end, unsigned number,
                 function_ref<SmallVector<Value>(Value)> body);

  /// Whether one CPU thread does the work of a block of threads; loops over
  /// columns are then best inside of loops over rows.
  bool isForOneThread() const { return oneThread; }
  void setForOneThread(bool value) { oneThread = value; }

protected:
  template <typename OpTy, typename... Args> Value create(Args... args) {
    return OpTy::create(builder, loc, args...);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return create<arith::CmpFOp>(predicate, a, b);
  }

  OpBuilder &builder;
  Location loc;
  bool oneThread = false;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_SCALARARITHMETIC_H
