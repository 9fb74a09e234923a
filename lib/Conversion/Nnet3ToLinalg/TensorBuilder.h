//===- TensorBuilder.h - Operations on matrices as tensors ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_CONVERSION_NNET3TOLINALG_TENSORBUILDER_H
#define NNET3_LIB_CONVERSION_NNET3TOLINALG_TENSORBUILDER_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// Creates operations of upstream dialects on 2-D tensors (rows x columns).
class TensorBuilder {
public:
  TensorBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }
  void setLoc(Location location) { loc = location; }

  static int64_t getRows(Value tensor) { return getType(tensor).getDimSize(0); }
  static int64_t getColumns(Value tensor) {
    return getType(tensor).getDimSize(1);
  }

  /// Creates an f32 constant with `rows` rows.
  Value constant(ArrayRef<float> values, int64_t rows);
  /// Creates a tensor of `type` with all elements equal to `value`.
  Value splat(RankedTensorType type, double value);
  Value zeros(int64_t rows, int64_t columns);

  /// Extracts rows `row`, `row` + `step`, ... and columns from `column` on.
  Value slice(Value tensor, int64_t row, int64_t rows, int64_t column,
              int64_t columns, int64_t step = 1);
  Value sliceColumns(Value tensor, int64_t column, int64_t columns) {
    return slice(tensor, 0, getRows(tensor), column, columns);
  }
  /// Concatenates tensors in dimension `dim`.
  Value concat(ArrayRef<Value> parts, int64_t dim);
  /// Selects the slices `indexes` of `tensor` in dimension `dim`; a negative
  /// index gives zeros.
  Value select(Value tensor, ArrayRef<int64_t> indexes, int64_t dim);
  /// Repeats the only row or the only column `count` times.
  Value repeat(Value tensor, int64_t count, int64_t dim);

  /// Returns x w + init, or x w if `init` is null.
  Value matmul(Value x, Value w, Value init = {});
  /// Returns the sum, or the maximum, of each row as a column.
  Value sumColumns(Value tensor);
  Value maxColumns(Value tensor);
  Value add(Value a, Value b);
  Value multiply(Value a, double factor);

private:
  static RankedTensorType getType(Value tensor) {
    return cast<RankedTensorType>(tensor.getType());
  }
  Value reduce(Value tensor, double init,
               function_ref<Value(OpBuilder &, Location, Value, Value)> body);

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_CONVERSION_NNET3TOLINALG_TENSORBUILDER_H
