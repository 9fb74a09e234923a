//===- MatrixView.h - Borrowed row-major float matrices -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_MATRIXVIEW_H
#define NNET3_RUNTIME_MATRIXVIEW_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// A borrowed row-major matrix; row r begins at data + r * stride. \p Scalar is
/// float or const float. The stride is at least cols.
template <typename Scalar> struct BasicMatrixView {
  Scalar *data = nullptr;
  int32_t rows = 0;
  int32_t cols = 0;
  int64_t stride = 0;

  BasicMatrixView() = default;
  BasicMatrixView(Scalar *data, int32_t rows, int32_t cols, int64_t stride)
      : data(data), rows(rows), cols(cols), stride(stride) {}
  /// Converts a mutable view to a constant one.
  template <typename Other>
  BasicMatrixView(const BasicMatrixView<Other> &other)
      : data(other.data), rows(other.rows), cols(other.cols),
        stride(other.stride) {}

  Scalar *row(int64_t r) const { return data + r * stride; }
  /// Columns \p begin to \p begin + \p count - 1.
  BasicMatrixView columns(int64_t begin, int32_t count) const {
    return BasicMatrixView(data + begin, rows, count, stride);
  }
  bool isContiguous() const { return stride == cols || rows <= 1; }
};

using MatrixView = BasicMatrixView<float>;
using ConstMatrixView = BasicMatrixView<const float>;

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_MATRIXVIEW_H
