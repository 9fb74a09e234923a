//===- JoinedProducts.cpp - Matmuls of shifted rows with a basis ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinedProducts.h"
#include "core/ThreadPool.h"
#include "cpu/math/NarrowGemm.h"
#include "cpu/math/Transpose.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <numeric>

namespace nnet3 {
namespace rt {

/// Least number of rows of a chunk, relative to the rows of the matrix that it
/// has in addition.
static constexpr int64_t kLeastPerShift = 16;

bool JoinedProducts::supports(const JoinedRows &x) {
  return x.isShifted() &&
         (x.count - 1) * x.getShift() * kLeastPerShift <= kChunkRows;
}

void JoinedProducts::setColumns(const JoinedRows &x, ConstMatrixView w) {
  const int32_t width = x.cols / x.count,
                stride = getWholeColumns(x.count * w.rows);
  count = x.count;
  columns.assign(size_t(width) * stride, 0.0f);
  for (int32_t i = 0; i < x.count; ++i)
    transpose(w.columns(i * width, width),
              MatrixView(columns.data() + i * w.rows, width, w.rows, stride));
}

/// Computes one chunk. \p wide has the parts of w^T side by side, and padding.
double JoinedProducts::multiplyChunk(const JoinedRows &x, ConstMatrixView wide,
                                     MatrixView products, MatrixView h) const {
  const ConstMatrixView rows = x.all();
  const auto shift = static_cast<int32_t>(x.getShift());
  double sum = 0;
  for (int32_t first = 0; first < rows.rows; first += kPieceRows) {
    const int32_t end = std::min(first + kPieceRows, rows.rows);
    narrowNN({rows.row(first), end - first, rows.cols, rows.stride}, wide,
             {products.row(first), end - first, products.cols, products.stride},
             NarrowResult::Store);
    for (int32_t r = first; r < end; ++r) {
      int32_t times = 0; // that X has the row
      for (int32_t i = 0; i < x.count; ++i)
        times += r >= i * shift && r < i * shift + x.rows;
      sum += times * vecSumSquaresSingle(rows.cols, rows.row(r));
    }
  }
  for (int32_t r = 0; r < x.rows; ++r) {
    std::copy_n(products.row(r), h.cols, h.row(r));
    for (int32_t i = 1; i < x.count; ++i)
      vecAxpy(h.cols, 1.0f, products.row(r + i * shift) + i * h.cols, h.row(r));
  }
  return sum;
}

double JoinedProducts::multiply(const JoinedRows &x, ConstMatrixView w,
                                MatrixView h, ThreadPool *threads) {
  const int32_t width = x.cols / x.count,
                stride = getWholeColumns(x.count * w.rows);
  if (count != x.count)
    setColumns(x, w);
  const ConstMatrixView wide(columns.data(), width, stride, stride);
  const size_t size =
      (kChunkRows + (x.count - 1) * x.getShift()) * size_t(stride);
  const int32_t chunks = (x.rows + kChunkRows - 1) / kChunkRows;
  products.resize(std::max(products.size(), chunks * size));
  double sums[kChunksToShare];
  shareEach(threads, chunks, [&](int64_t chunk) {
    const auto first = static_cast<int32_t>(chunk * kChunkRows);
    const JoinedRows part =
        x.chunk(first, std::min(kChunkRows, x.rows - first));
    sums[chunk] = multiplyChunk(
        part, wide,
        {products.data() + chunk * size, part.all().rows, stride, stride},
        {h.row(first), part.rows, h.cols, h.stride});
  });
  return std::accumulate(sums, sums + chunks, 0.0);
}

} // namespace rt
} // namespace nnet3
