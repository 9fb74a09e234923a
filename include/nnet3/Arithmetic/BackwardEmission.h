//===- BackwardEmission.h - Code of a backward pass -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_BACKWARDEMISSION_H
#define NNET3_ARITHMETIC_BACKWARDEMISSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Creates the code of a component's backward pass for one row, by threads that
/// share its columns. Columns are indexes, elements are f32.
class BackwardEmission {
public:
  BackwardEmission(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}
  virtual ~BackwardEmission() = default;

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }

  /// Elements of the value of the input and of the output, where the component
  /// needs them, and of the derivative of the output.
  virtual Value loadInput(Value column) = 0;
  virtual Value loadOutput(Value column) = 0;
  virtual Value loadDerivative(Value column) = 0;
  /// Elements of kernel vector `number`.
  virtual Value loadVector(unsigned number, Value column) = 0;
  /// What self-repair adds, as the component has it
  /// (StatisticsInterface.td); zero where nothing says.
  virtual Value loadRepair(Value place) = 0;
  /// An element of the derivative of the input. Where the backward pass may be
  /// in place, it is stored by the thread that has loaded the derivative of the
  /// output at this column, behind that.
  virtual void store(Value element, Value column) = 0;

  /// Calls `body` for columns 0, ..., `count` - 1.
  virtual void forEach(int64_t count, function_ref<void(Value)> body) = 0;
  /// Adds up `body` of those columns.
  virtual Value sum(int64_t count, function_ref<Value(Value)> body) = 0;

  // Short names for what is computed.
  Value number(float value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  }
  /// Column `at` + `offset`.
  Value shift(Value at, int64_t offset) {
    return arith::AddIOp::create(
        builder, loc, at, arith::ConstantIndexOp::create(builder, loc, offset));
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value subtract(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value divide(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  Value max(Value a, Value b) {
    return arith::MaximumFOp::create(builder, loc, a, b);
  }
  Value exp(Value x) { return math::ExpOp::create(builder, loc, x); }
  Value log(Value x) { return math::LogOp::create(builder, loc, x); }
  Value tanh(Value x) { return math::TanhOp::create(builder, loc, x); }
  Value sqrt(Value x) { return math::SqrtOp::create(builder, loc, x); }
  /// `yes` where a > b, else `no`.
  Value selectGreater(Value a, Value b, Value yes, Value no) {
    Value isGreater =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
    return arith::SelectOp::create(builder, loc, isGreater, yes, no);
  }

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_BACKWARDEMISSION_H
