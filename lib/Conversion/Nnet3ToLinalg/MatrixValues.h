//===- MatrixValues.h - Matrix contents as tensors --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_CONVERSION_NNET3TOLINALG_MATRIXVALUES_H
#define NNET3_LIB_CONVERSION_NNET3TOLINALG_MATRIXVALUES_H

#include "TensorBuilder.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// A rectangle of a matrix and its elements: a tensor, or null for zeros.
struct MatrixPiece {
  int64_t row, rows, column, columns;
  Value tensor;

  int64_t endRow() const { return row + rows; }
  int64_t endColumn() const { return column + columns; }
  bool overlaps(const MatrixPiece &other) const {
    return row < other.endRow() && other.row < endRow() &&
           column < other.endColumn() && other.column < endColumn();
  }
};

/// The contents of all matrices after each command, as SSA values: a matrix is
/// a set of disjoint rectangles, and a command that writes some rows and
/// columns replaces the overlapped parts.
class MatrixValues {
public:
  explicit MatrixValues(TensorBuilder &tensors) : tensors(tensors) {}

  /// Returns the elements of `view`.
  Value read(Value view);
  /// Sets the elements of `view` to `tensor`, or to zeros if it is null.
  void write(Value view, Value tensor);
  void free(Value matrix) { matrices.erase(matrix); }
  void move(Value from, Value to) {
    matrices[to] = std::move(matrices[from]);
    matrices.erase(from);
  }

private:
  using Pieces = SmallVector<MatrixPiece>;

  /// The intersection of `piece` and `window`.
  MatrixPiece clip(const MatrixPiece &piece, const MatrixPiece &window);
  /// The elements of `window`, which `pieces` cover.
  Value assemble(const MatrixPiece &window, ArrayRef<MatrixPiece> pieces);

  TensorBuilder &tensors;
  DenseMap<Value, Pieces> matrices;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_CONVERSION_NNET3TOLINALG_MATRIXVALUES_H
