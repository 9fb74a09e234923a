//===- Matrix.h - Row-major matrices of Kaldi's files -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plain value types that the readers and writers of Kaldi's files exchange
// with their users.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_MATRIX_MATRIX_H
#define NNET3_KALDI_MATRIX_MATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace nnet3::kaldi {

/// A dense row-major matrix without padding between its rows.
template <typename T> struct BasicMatrix {
  BasicMatrix() = default;
  /// A matrix of zeros.
  BasicMatrix(int64_t rows, int64_t cols)
      : rows(rows), cols(cols), data(rows * cols) {}

  /// Number of rows (frames, in a feature matrix).
  int64_t rows = 0;
  /// Number of columns; zero exactly when `rows` is zero.
  int64_t cols = 0;
  /// The `rows * cols` elements, row by row.
  std::vector<T> data;

  T &operator()(int64_t r, int64_t c) { return data[r * cols + c]; }
  const T &operator()(int64_t r, int64_t c) const { return data[r * cols + c]; }

  /// Row `r`, `cols` elements.
  llvm::MutableArrayRef<T> row(int64_t r) {
    return {data.data() + r * cols, static_cast<size_t>(cols)};
  }
  llvm::ArrayRef<T> row(int64_t r) const {
    return {data.data() + r * cols, static_cast<size_t>(cols)};
  }

  bool operator==(const BasicMatrix &other) const {
    return rows == other.rows && cols == other.cols && data == other.data;
  }
  bool operator!=(const BasicMatrix &other) const { return !(*this == other); }
};

/// The type of feature matrices and of nearly all matrices of models.
using Matrix = BasicMatrix<float>;
/// Accumulators that a model keeps in double precision (attention statistics).
using DoubleMatrix = BasicMatrix<double>;

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_MATRIX_MATRIX_H
