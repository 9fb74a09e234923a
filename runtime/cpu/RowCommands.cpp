//===- RowCommands.cpp - Commands that move and add rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowCommands.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <cstring>

namespace nnet3 {
namespace rt {

/// y := alpha x; x null is a row of zeros.
static void copyRow(int64_t n, const float *x, float alpha, float *y) {
  if (!x || alpha == 0)
    std::memset(y, 0, n * sizeof(float));
  else if (alpha == 1)
    std::memcpy(y, x, n * sizeof(float));
  else
    vecScale(n, alpha, x, y);
}

void setConst(MatrixView dst, float value) {
  if (dst.isContiguous())
    return vecFill(int64_t(dst.rows) * dst.cols, value, dst.data);
  for (int32_t r = 0; r < dst.rows; ++r)
    vecFill(dst.cols, value, dst.row(r));
}

void copyMatrix(MatrixView dst, ConstMatrixView src, float alpha) {
  if (dst.data == src.data && alpha == 1)
    return;
  forEachElement(src, dst, [&](int64_t n, const float *x, float *y) {
    copyRow(n, x, alpha, y);
  });
}

void addMatrix(MatrixView dst, ConstMatrixView src, float alpha) {
  if (alpha == 0)
    return;
  forEachElement(src, dst, [&](int64_t n, const float *x, float *y) {
    vecAxpy(n, alpha, x, y);
  });
}

void copyRows(MatrixView dst, ConstMatrixView src, const int32_t *rows,
              float alpha) {
  for (int32_t r = 0; r < dst.rows; ++r)
    copyRow(dst.cols, rows[r] < 0 ? nullptr : src.row(rows[r]), alpha,
            dst.row(r));
}

void addRows(MatrixView dst, ConstMatrixView src, const int32_t *rows,
             float alpha) {
  if (alpha == 0)
    return;
  for (int32_t r = 0; r < dst.rows; ++r)
    if (rows[r] >= 0)
      vecAxpy(dst.cols, alpha, src.row(rows[r]), dst.row(r));
}

/// y := y + alpha times the sum of the \p count rows of n values that begin \p
/// stride apart.
static void addRowSum(int64_t n, int64_t count, int64_t stride, const float *x,
                      float alpha, float *y) {
  if (count < 8) {
    for (int64_t r = 0; r < count; ++r)
      vecAxpy(n, alpha, x + r * stride, y);
    return;
  }
  constexpr int64_t kChunk = 512;
  double sum[kChunk];
  for (int64_t begin = 0; begin < n; begin += kChunk) {
    const int64_t size = std::min(kChunk, n - begin);
    std::fill_n(sum, size, 0.0);
    vecAddRows(size, count, stride, x + begin, sum);
    for (int64_t i = 0; i < size; ++i)
      y[begin + i] += alpha * static_cast<float>(sum[i]);
  }
}

void addRowRanges(MatrixView dst, ConstMatrixView src, const int32_t *begin,
                  const int32_t *end, int32_t step, float alpha) {
  if (alpha == 0)
    return;
  for (int32_t r = 0; r < dst.rows; ++r) {
    if (begin[r] >= end[r])
      continue;
    const int64_t count = (int64_t(end[r]) - begin[r] + step - 1) / step;
    addRowSum(dst.cols, count, step * src.stride, src.row(begin[r]), alpha,
              dst.row(r));
  }
}

void copyRowsMulti(MatrixView dst, const MultiRows &src, float alpha) {
  for (int32_t r = 0; r < dst.rows; ++r)
    copyRow(dst.cols, src.row(r), alpha, dst.row(r));
}

void addRowsMulti(MatrixView dst, const MultiRows &src, float alpha) {
  if (alpha == 0)
    return;
  for (int32_t r = 0; r < dst.rows; ++r)
    if (const float *row = src.row(r))
      vecAxpy(dst.cols, alpha, row, dst.row(r));
}

void copyToRowsMulti(const MultiRows &dst, ConstMatrixView src) {
  for (int32_t r = 0; r < src.rows; ++r)
    if (float *row = dst.row(r))
      std::memcpy(row, src.row(r), src.cols * sizeof(float));
}

void addToRowsMulti(const MultiRows &dst, ConstMatrixView src, float alpha) {
  if (alpha == 0)
    return;
  for (int32_t r = 0; r < src.rows; ++r)
    if (float *row = dst.row(r))
      vecAxpy(src.cols, alpha, src.row(r), row);
}

} // namespace rt
} // namespace nnet3
