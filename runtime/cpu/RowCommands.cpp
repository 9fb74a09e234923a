//===- RowCommands.cpp - Commands that move and add rows ------------------===//

#include "RowCommands.h"
#include "Rows.h"
#include "VectorMath.h"

#include <algorithm>
#include <cstring>

namespace nnet3 {
namespace runtime {

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

void addRowRanges(MatrixView dst, ConstMatrixView src, const int32_t *begin,
                  const int32_t *end, int32_t step, float alpha) {
  if (alpha == 0)
    return;
  constexpr int32_t kChunk = 256;
  float sum[kChunk];
  for (int32_t r = 0; r < dst.rows; ++r) {
    if (begin[r] >= end[r])
      continue;
    for (int32_t c = 0; c < dst.cols; c += kChunk) {
      const int32_t n = std::min(kChunk, dst.cols - c);
      std::memcpy(sum, src.row(begin[r]) + c, n * sizeof(float));
      for (int64_t s = int64_t(begin[r]) + step; s < end[r]; s += step)
        vecAxpy(n, 1.0f, src.row(s) + c, sum);
      vecAxpy(n, alpha, sum, dst.row(r) + c);
    }
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

} // namespace runtime
} // namespace nnet3
