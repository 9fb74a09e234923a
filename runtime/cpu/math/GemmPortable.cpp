//===- GemmPortable.cpp - The matmuls without a BLAS ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For libraries and nnet3-rt-run, which link no BLAS. gemmNT(), the matmul of
// the forward pass, computes the output tile by tile. Both operands are
// contiguous along the reduction, so that each element of a tile has several
// lanes of accumulators and no packing is needed, which would cost as much as
// it saves for the few rows of a chunk. gemmNN() and gemmTN() are for the
// backward pass.
//
//===----------------------------------------------------------------------===//

#include "Clones.h"
#include "Lanes.h"
#include "VectorMath.h"
#include "core/Gemm.h"

#include <algorithm>
#include <cstring>

#if defined(__clang__)
#define NNET3_UNROLL _Pragma("clang loop unroll(full)")
#else
#define NNET3_UNROLL _Pragma("GCC unroll 8")
#endif

namespace nnet3 {
namespace rt {
namespace {

using Quad = Lanes<4>::Type;

/// Reduces the lanes of \p from to four.
template <typename Vector>
NNET3_INLINE void fold(const Vector &from, Quad &to) {
  constexpr int kQuads = sizeof(Vector) / sizeof(Quad);
  Quad quads[kQuads];
  std::memcpy(quads, &from, sizeof(quads));
  to = quads[0];
  for (int i = 1; i < kQuads; ++i)
    to += quads[i];
}

// Size of a block of b that stays in the L1 cache for all rows.
constexpr int64_t kBlockInner = 384;
constexpr int kBlockCols = 12;
// Columns of a tile with one row.
constexpr int kRowCols = 6;

/// A matmul with a reduction over `inner` columns, at most a block's.
struct Product {
  const float *a, *b;
  float *out;
  int64_t aStride, bStride, outStride;
  int64_t inner;
  float beta;
};

/// Completes an element: reduces \p quad and adds the remaining \p count terms.
NNET3_INLINE float finishSum(Quad quad, const float *x, const float *y,
                             int64_t count) {
  Quad xs, ys;
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    load(x + i, xs);
    load(y + i, ys);
    quad += xs * ys;
  }
  float sum = (quad[0] + quad[1]) + (quad[2] + quad[3]);
  for (; i < count; ++i)
    sum += x[i] * y[i];
  return sum;
}

/// Computes a tile of rows x cols elements of the output.
template <int lanes, int rows, int cols>
NNET3_INLINE void computeTile(const Product &p, const float *a, const float *b,
                              float *out) {
  using Vector = typename Lanes<lanes>::Type;
  Vector sums[rows][cols] = {};
  int64_t k = 0;
  for (; k + lanes <= p.inner; k += lanes) {
    Vector x[rows], y;
    for (int r = 0; r < rows; ++r)
      load(a + r * p.aStride + k, x[r]);
    for (int c = 0; c < cols; ++c) {
      load(b + c * p.bStride + k, y);
      for (int r = 0; r < rows; ++r)
        sums[r][c] += x[r] * y;
    }
  }
  // Unrolled, so that the accumulators stay in registers.
  Quad quads[rows][cols];
  NNET3_UNROLL for (int r = 0; r < rows; ++r)
      NNET3_UNROLL for (int c = 0; c < cols; ++c) fold(sums[r][c], quads[r][c]);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      const float sum = finishSum(quads[r][c], a + r * p.aStride + k,
                                  b + c * p.bStride + k, p.inner - k);
      float &to = out[r * p.outStride + c];
      to = p.beta == 0 ? sum : p.beta * to + sum;
    }
}

/// Computes \p rows rows and all columns of a block.
template <int lanes, int rows, int cols>
NNET3_INLINE void computeStrip(const Product &p, int64_t numCols,
                               const float *a, float *out) {
  int64_t c = 0;
  for (; c + cols <= numCols; c += cols)
    computeTile<lanes, rows, cols>(p, a, p.b + c * p.bStride, out + c);
  for (; c < numCols; ++c)
    computeTile<lanes, rows, 1>(p, a, p.b + c * p.bStride, out + c);
}

/// Computes all rows of a block of \p numCols columns, \p rows rows at a time.
template <int lanes, int rows, int cols>
NNET3_INLINE void computeRows(const Product &p, int64_t numRows,
                              int64_t numCols) {
  int64_t r = 0;
  for (; r + rows <= numRows; r += rows)
    computeStrip<lanes, rows, cols>(p, numCols, p.a + r * p.aStride,
                                    p.out + r * p.outStride);
  for (; r < numRows; ++r)
    computeStrip<lanes, 1, kRowCols>(p, numCols, p.a + r * p.aStride,
                                     p.out + r * p.outStride);
}

template <int lanes, int rows, int cols>
NNET3_INLINE void multiply(const ConstMatrixView &a, const ConstMatrixView &b,
                           float beta, const MatrixView &out) {
  static_assert(kBlockCols % cols == 0, "blocks have whole tiles");
  // Few rows read b about once, so caching blocks of it does not pay.
  const int64_t inner = out.rows <= rows ? a.cols : kBlockInner;
  for (int64_t k = 0; k < a.cols; k += inner)
    for (int64_t c = 0; c < out.cols; c += kBlockCols) {
      const Product block = {a.data + k,
                             b.row(c) + k,
                             out.data + c,
                             a.stride,
                             b.stride,
                             out.stride,
                             std::min(inner, a.cols - k),
                             k == 0 ? beta : 1.0f};
      computeRows<lanes, rows, cols>(
          block, out.rows, std::min<int64_t>(kBlockCols, out.cols - c));
    }
}

} // namespace

// Tile sizes depend on the registers of each instruction set, so NNET3_CLONES
// cannot be used.
#ifdef NNET3_HAS_CLONES
// Without min_vector_width, 512-bit vectors would be split in two.
__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void
multiplyV4(const ConstMatrixView &a, const ConstMatrixView &b, float beta,
           const MatrixView &out) {
  multiply<16, 4, 6>(a, b, beta, out);
}

__attribute__((target("arch=x86-64-v3"))) static void
multiplyV3(const ConstMatrixView &a, const ConstMatrixView &b, float beta,
           const MatrixView &out) {
  multiply<8, 3, 4>(a, b, beta, out);
}
#endif

void gemmNT(ConstMatrixView a, ConstMatrixView b, float beta, MatrixView out) {
#ifdef NNET3_HAS_CLONES
  // Short reductions would leave many lanes unused.
  if (a.cols >= 64 && __builtin_cpu_supports("x86-64-v4"))
    return multiplyV4(a, b, beta, out);
  if (__builtin_cpu_supports("x86-64-v3"))
    return multiplyV3(a, b, beta, out);
#endif
  multiply<4, 4, 3>(a, b, beta, out);
}

void gemmNN(ConstMatrixView a, ConstMatrixView b, float alpha, float beta,
            MatrixView out) {
  for (int32_t r = 0; r < out.rows; ++r) {
    if (beta == 0)
      vecFill(out.cols, 0, out.row(r));
    else if (beta != 1)
      vecScale(out.cols, beta, out.row(r), out.row(r));
    for (int32_t k = 0; k < a.cols; ++k)
      vecAxpy(out.cols, alpha * a.row(r)[k], b.row(k), out.row(r));
  }
}

void gemmTN(ConstMatrixView a, ConstMatrixView b, float alpha, MatrixView out) {
  for (int32_t k = 0; k < a.rows; ++k)
    for (int32_t r = 0; r < out.rows; ++r)
      vecAxpy(out.cols, alpha * a.row(k)[r], b.row(k), out.row(r));
}

bool prepareBlas(int32_t) { return true; }

} // namespace rt
} // namespace nnet3
