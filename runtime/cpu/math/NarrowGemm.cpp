//===- NarrowGemm.cpp - Matmuls with a narrow matrix ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of the output stays in registers: some rows, and up to five vectors of
// columns, of which the last one may be half a vector or less. Each element of
// a is multiplied by the vectors of a row of b, from where it is. At most three
// columns are left, which are vectors of one element.
//
//===----------------------------------------------------------------------===//

#include "NarrowGemm.h"
#include "Clones.h"
#include "Lanes.h"
#include "core/Gemm.h"

#include <algorithm>
#include <cstring>

namespace nnet3 {
namespace rt {

/// See narrowTN(). The rows of a and b stay in the L2 cache for the next tiles.
static constexpr int32_t kTransposedTerms = 240;

#ifdef NNET3_HAS_CLONES

namespace {

/// Floats of the rows of b that stay in the L2 cache.
constexpr int64_t kBlockFloats = 1 << 16;
/// Rows of the output that are multiplied by them, a multiple of the rows of
/// each tile.
constexpr int64_t kBlockRows = 60;

/// A matmul with a reduction of `inner` terms.
struct Product {
  const float *a, *b;
  float *out;
  int64_t aStride, bStride, outStride;
  int64_t inner;
  /// The output is sums, or its contents plus `factor` times sums.
  bool stores;
  float factor;
};

template <typename Vector>
NNET3_INLINE void put(const Product &p, Vector sum, float *to) {
  if (!p.stores) {
    Vector before;
    load(to, before);
    sum = before + p.factor * sum;
  }
  std::memcpy(to, &sum, sizeof(sum));
}

/// Computes \p rows rows of the output: `vectors` vectors of `lanes` columns
/// and one of `tail` columns. Loops have constant bounds and are unrolled.
template <int lanes, int rows, int vectors, int tail, bool transposed>
NNET3_INLINE void computeTile(const Product &p, const float *a, float *out) {
  using Vector = typename Lanes<lanes>::Type;
  using Tail = typename Lanes<tail ? tail : 4>::Type;
  Vector sums[rows][vectors ? vectors : 1] = {};
  Tail tails[rows] = {};
  for (int64_t k = 0; k < p.inner; ++k) {
    const float *b = p.b + k * p.bStride;
    Vector y[vectors ? vectors : 1];
    Tail last;
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v)
      load(b + v * lanes, y[v]);
    if (tail)
      load(b + vectors * lanes, last);
#pragma clang loop unroll(full)
    for (int r = 0; r < rows; ++r) {
      const float x = transposed ? a[k * p.aStride + r] : a[r * p.aStride + k];
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v)
        sums[r][v] += x * y[v];
      if (tail)
        tails[r] += x * last;
    }
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; ++r) {
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v)
      put(p, sums[r][v], out + r * p.outStride + v * lanes);
    if (tail)
      put(p, tails[r], out + r * p.outStride + vectors * lanes);
  }
}

/// Most vectors of a row of a tile, and most of them that are whole.
constexpr int getMostVectors(int lanes) { return lanes == 16 ? 5 : 3; }
constexpr int getMostWholeVectors(int lanes) { return lanes == 16 ? 5 : 2; }

/// Number of rows of a tile, so that its vectors are in registers.
constexpr int getTileRows(int lanes, int vectors) {
  constexpr int ofLarge[] = {10, 10, 6, 6, 5}, ofSmall[] = {10, 6, 4};
  return lanes == 16 ? ofLarge[vectors - 1] : ofSmall[vectors - 1];
}

/// Prefetches the begin of rows; the CPU then fetches the rest on its own.
template <int rows>
NNET3_INLINE void prefetchRows(const Product &p, const float *a) {
  constexpr int kLines = 8, kLineFloats = 16;
  for (int r = 0; r < rows; ++r)
    for (int line = 0; line < kLines; ++line)
      __builtin_prefetch(a + r * p.aStride + line * kLineFloats);
}

/// Computes some columns of \p numRows rows.
template <int lanes, int vectors, int tail, bool transposed>
NNET3_INLINE void computePanel(const Product &p, int64_t numRows) {
  constexpr int rows = getTileRows(lanes, vectors + (tail > 0));
  const int64_t rowStride = transposed ? 1 : p.aStride;
  int64_t r = 0;
  for (; r + rows <= numRows; r += rows) {
    if constexpr (!transposed)
      prefetchRows<rows>(p, p.a + (r + rows) * rowStride);
    computeTile<lanes, rows, vectors, tail, transposed>(
        p, p.a + r * rowStride, p.out + r * p.outStride);
  }
  for (; r < numRows; ++r)
    computeTile<lanes, 1, vectors, tail, transposed>(p, p.a + r * rowStride,
                                                     p.out + r * p.outStride);
}

/// Number of columns of the next tile, if \p columns are left.
template <int lanes> constexpr int64_t getTileColumns(int64_t columns) {
  constexpr int64_t most = getMostWholeVectors(lanes);
  const int64_t whole = std::min(columns / lanes, most),
                rest = columns - whole * lanes;
  if (whole == getMostVectors(lanes) || rest < 4)
    return whole * lanes;
  return whole * lanes + (lanes == 16 && rest >= 8 ? 8 : 4);
}

/// Computes the columns of one tile.
template <int lanes, int vectors, bool transposed>
NNET3_INLINE void computeColumns(const Product &p, int64_t numRows,
                                 int64_t columns) {
  const int64_t rest = columns - vectors * lanes;
  if constexpr (vectors > 0)
    if (rest < 0)
      return computeColumns<lanes, vectors - 1, transposed>(p, numRows,
                                                            columns);
  if constexpr (lanes > 1 && vectors < getMostVectors(lanes)) {
    if (rest == 4)
      return computePanel<lanes, vectors, 4, transposed>(p, numRows);
    if constexpr (lanes == 16)
      if (rest == 8)
        return computePanel<lanes, vectors, 8, transposed>(p, numRows);
  }
  if constexpr (vectors > 0)
    computePanel<lanes, vectors, 0, transposed>(p, numRows);
}

/// Computes all columns.
template <int lanes, bool transposed>
NNET3_INLINE void computeRows(Product p, int64_t numRows, int64_t columns) {
  while (columns > 0) {
    int64_t done = getTileColumns<lanes>(columns);
    if (done > 0) {
      computeColumns<lanes, getMostWholeVectors(lanes), transposed>(p, numRows,
                                                                    done);
    } else {
      done = std::min<int64_t>(columns, getMostWholeVectors(1));
      computeColumns<1, getMostWholeVectors(1), transposed>(p, numRows, done);
    }
    columns -= done;
    p.b += done;
    p.out += done;
  }
}

template <int lanes, bool transposed>
NNET3_INLINE void multiply(const ConstMatrixView &a, const ConstMatrixView &b,
                           const MatrixView &out, NarrowResult result) {
  const int64_t terms = transposed
                            ? kTransposedTerms
                            : std::max<int64_t>(1, kBlockFloats / b.stride);
  for (int64_t k = 0; k < b.rows; k += terms)
    for (int64_t r = 0; r < out.rows; r += kBlockRows) {
      Product p = {transposed ? a.row(k) + r : a.row(r) + k,
                   b.row(k),
                   out.row(r),
                   a.stride,
                   b.stride,
                   out.stride,
                   std::min(terms, b.rows - k),
                   k == 0 && result == NarrowResult::Store,
                   result == NarrowResult::Subtract ? -1.0f : 1.0f};
      computeRows<lanes, transposed>(p, std::min(kBlockRows, out.rows - r),
                                     out.cols);
    }
}

} // namespace

// The rows of tiles depend on the registers of each instruction set, so
// NNET3_CLONES cannot be used. Without min_vector_width, 512-bit vectors would
// be split in two.
template <bool transposed>
__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void
multiplyV4(const ConstMatrixView &a, const ConstMatrixView &b,
           const MatrixView &out, NarrowResult result) {
  multiply<16, transposed>(a, b, out, result);
}

template <bool transposed>
__attribute__((target("arch=x86-64-v3"))) static void
multiplyV3(const ConstMatrixView &a, const ConstMatrixView &b,
           const MatrixView &out, NarrowResult result) {
  multiply<8, transposed>(a, b, out, result);
}

/// Returns false if this CPU has no such vectors.
template <bool transposed>
static bool multiplyByVectors(const ConstMatrixView &a,
                              const ConstMatrixView &b, const MatrixView &out,
                              NarrowResult result) {
  if (__builtin_cpu_supports("x86-64-v4"))
    multiplyV4<transposed>(a, b, out, result);
  else if (__builtin_cpu_supports("x86-64-v3"))
    multiplyV3<transposed>(a, b, out, result);
  else
    return false;
  return true;
}

#else

template <bool transposed>
static bool multiplyByVectors(const ConstMatrixView &, const ConstMatrixView &,
                              const MatrixView &, NarrowResult) {
  return false;
}

#endif

void narrowNN(ConstMatrixView a, ConstMatrixView b, MatrixView out,
              NarrowResult result) {
  if (!multiplyByVectors<false>(a, b, out, result))
    gemmNN(a, b, result == NarrowResult::Subtract ? -1.0f : 1.0f,
           result == NarrowResult::Store ? 0.0f : 1.0f, out);
}

void narrowTN(ConstMatrixView a, ConstMatrixView b, MatrixView out,
              NarrowResult result) {
  if (!multiplyByVectors<true>(a, b, out, result))
    narrowTNPortable(a, b, out, result);
}

void narrowTNPortable(ConstMatrixView a, ConstMatrixView b, MatrixView out,
                      NarrowResult result) {
  if (result == NarrowResult::Store)
    for (int32_t r = 0; r < out.rows; ++r)
      std::fill_n(out.row(r), out.cols, 0.0f);
  for (int32_t k = 0; k < a.rows; k += kTransposedTerms) {
    const int32_t terms = std::min(kTransposedTerms, a.rows - k);
    gemmTN({a.row(k), terms, a.cols, a.stride},
           {b.row(k), terms, b.cols, b.stride},
           result == NarrowResult::Subtract ? -1.0f : 1.0f, out);
  }
}

} // namespace rt
} // namespace nnet3
