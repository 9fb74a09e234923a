//===- Rows.h - Walking over rows and blocks of matrices --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_MATH_ROWS_H
#define NNET3_RUNTIME_CPU_MATH_ROWS_H

#include "nnet3/runtime/MatrixView.h"

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Calls f(n, x, y) for each row of \p in and \p out, which have equal dims, or
/// once for all elements if both are contiguous.
template <typename Function>
void forEachElement(ConstMatrixView in, MatrixView out, Function f) {
  if (in.isContiguous() && out.isContiguous()) {
    f(int64_t(in.rows) * in.cols, in.data, out.data);
    return;
  }
  for (int32_t r = 0; r < in.rows; ++r)
    f(int64_t(in.cols), in.row(r), out.row(r));
}

/// Rounds up the columns of scratch rows, so that each row begins on a cache
/// line.
inline int64_t paddedCols(int64_t cols) { return (cols + 15) / 16 * 16; }

/// Calls f(x, y) for each block of \p blockDim columns of each row: the "block
/// view" (spec: components.md 1), for any strides. \p outBlockDim is the width
/// of a block of the output.
template <typename Function>
void forEachBlock(ConstMatrixView in, MatrixView out, int32_t blockDim,
                  int32_t outBlockDim, Function f) {
  const int32_t blocks = in.cols / blockDim;
  for (int32_t r = 0; r < in.rows; ++r)
    for (int32_t b = 0; b < blocks; ++b)
      f(in.row(r) + int64_t(b) * blockDim,
        out.row(r) + int64_t(b) * outBlockDim);
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_ROWS_H
