//===- MatrixWindow.h - The rows and columns of a view ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_MATRIXWINDOW_H
#define NNET3_DIALECT_NNET3_ANALYSIS_MATRIXWINDOW_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

namespace mlir::nnet3 {

/// A slice of rows and columns of a matrix, which is the value that owns the
/// storage, not a view. The window of a moving view covers all iterations of
/// its loop.
struct MatrixWindow {
  Value matrix;
  int64_t row = 0, rows = 0;
  int64_t col = 0, cols = 0;

  /// Returns the window of `value`, a matrix or a view.
  static MatrixWindow get(Value value);
  /// Returns the window of `value` in iteration `round` of its loop.
  static MatrixWindow get(Value value, int64_t round);

  int64_t matrixRows() const {
    return cast<MemRefType>(matrix.getType()).getDimSize(0);
  }
  int64_t matrixCols() const {
    return cast<MemRefType>(matrix.getType()).getDimSize(1);
  }
  bool isWhole() const { return rows == matrixRows() && cols == matrixCols(); }
  bool overlaps(const MatrixWindow &other) const {
    return matrix == other.matrix && row < other.row + other.rows &&
           other.row < row + rows && col < other.col + other.cols &&
           other.col < col + cols;
  }
  friend bool operator==(const MatrixWindow &a, const MatrixWindow &b) {
    return a.matrix == b.matrix && a.row == b.row && a.rows == b.rows &&
           a.col == b.col && a.cols == b.cols;
  }
};

/// Creates a view of `window` at the builder's insertion point, or returns the
/// matrix if the window is all of it.
Value createView(OpBuilder &builder, Location loc, const MatrixWindow &window);
Value createView(OpBuilder &builder, Location loc, const MatrixWindow &window,
                 ViewTypes &types);
/// Sets the source and the offsets of a view whose type does not change.
void setPlace(SubMatrixOp view, const MatrixWindow &window);
/// Makes an existing view one of `window`, which is not the whole matrix.
void setView(SubMatrixOp view, const MatrixWindow &window, ViewTypes &types);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_MATRIXWINDOW_H
