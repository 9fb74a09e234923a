//===- MatrixLayout.h - How a matrix lies in memory -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_MATRIXLAYOUT_H
#define NNET3_DIALECT_NNET3_IR_MATRIXLAYOUT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::nnet3 {

/// Element (row, col) of a matrix is `offset` + row * `stride` + col elements
/// behind the beginning of its memory.
struct MatrixLayout {
  int64_t stride;
  int64_t offset; ///< ShapedType::kDynamic if it depends on a loop's round

  bool isMoving() const { return ShapedType::isDynamic(offset); }

  /// The layout of a memref of rank 2; nothing if it has no strides, or
  /// neighbouring columns are not adjacent. Much faster than to ask the type
  /// for its strides, which makes affine expressions of them.
  static std::optional<MatrixLayout> get(MemRefType type);

  friend bool operator==(const MatrixLayout &a, const MatrixLayout &b) {
    return a.stride == b.stride && a.offset == b.offset;
  }
};

/// Rows and columns of a matrix or a view of one.
inline int64_t numRows(Value matrix) {
  return cast<MemRefType>(matrix.getType()).getDimSize(0);
}
inline int64_t numCols(Value matrix) {
  return cast<MemRefType>(matrix.getType()).getDimSize(1);
}

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_MATRIXLAYOUT_H
