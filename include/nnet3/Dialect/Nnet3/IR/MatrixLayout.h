//===- MatrixLayout.h - Stride and offset of matrices -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_MATRIXLAYOUT_H
#define NNET3_DIALECT_NNET3_IR_MATRIXLAYOUT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <tuple>

namespace mlir::nnet3 {

/// The layout of a matrix: element (row, col) is at `offset` + row * `stride` +
/// col of its memory.
struct MatrixLayout {
  int64_t stride;
  int64_t offset; ///< ShapedType::kDynamic if it depends on a loop iteration

  bool isMoving() const { return ShapedType::isDynamic(offset); }

  /// Returns the layout of a memref of rank 2; nullopt if it has no strides, or
  /// the columns are not adjacent. Much faster than getStridesAndOffset(),
  /// which creates affine expressions.
  static std::optional<MatrixLayout> get(MemRefType type);

  friend bool operator==(const MatrixLayout &a, const MatrixLayout &b) {
    return a.stride == b.stride && a.offset == b.offset;
  }
};

/// Returns the type of a view of a matrix of type `type`.
MemRefType getViewType(MemRefType type, int64_t rowOffset, int64_t numRows,
                       int64_t colOffset, int64_t numCols);

/// The types of the views that a pass creates, many of which are alike. Much
/// faster than getViewType(), which looks up each in the context.
class ViewTypes {
public:
  /// Returns the same as getViewType().
  MemRefType get(MemRefType type, int64_t rowOffset, int64_t numRows,
                 int64_t colOffset, int64_t numCols) {
    MemRefType &known = types[{type.getAsOpaquePointer(), rowOffset, numRows,
                               colOffset, numCols}];
    if (!known)
      known = getViewType(type, rowOffset, numRows, colOffset, numCols);
    return known;
  }

private:
  DenseMap<std::tuple<const void *, int64_t, int64_t, int64_t, int64_t>,
           MemRefType>
      types;
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
