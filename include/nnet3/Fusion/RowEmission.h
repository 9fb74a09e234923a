//===- RowEmission.h - Code that goes over a row ----------------*- C++ -*-===//

#ifndef NNET3_FUSION_ROWEMISSION_H
#define NNET3_FUSION_ROWEMISSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Creates the code of a component for one row, in parts that each go over
/// columns in any order, by one thread or by many. Columns are indexes,
/// elements are f32.
class RowEmission {
public:
  RowEmission(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}
  virtual ~RowEmission() = default;

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }

  /// An element of the input.
  virtual Value load(Value column) = 0;
  /// An entry of kernel index list `number`.
  virtual Value loadIndex(unsigned number, Value column) = 0;
  /// An element of the output.
  virtual Value loadOutput(Value column) = 0;
  virtual void store(Value element, Value column) = 0;

  /// Calls `body` for columns 0, ..., `count` - 1.
  virtual void forEach(int64_t count, function_ref<void(Value)> body) = 0;
  /// Adds up `body` of those columns, or finds the largest.
  virtual Value sum(int64_t count, function_ref<Value(Value)> body) = 0;
  virtual Value max(int64_t count, function_ref<Value(Value)> body) = 0;
  /// The sum of the input's columns from `begin` to `end`, inside of forEach.
  virtual Value sumRange(Value begin, Value end) = 0;

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::nnet3

#endif // NNET3_FUSION_ROWEMISSION_H
