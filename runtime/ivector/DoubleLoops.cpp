//===- DoubleLoops.cpp - Loops over doubles -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoubleLoops.h"
#include "cpu/math/Clones.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

/// Number of rows or columns per iteration.
static constexpr int64_t kFour = 4;
/// Number of accumulators that stay in the L1 cache while rows are added.
static constexpr int64_t kMostSums = 512;
/// Prefetch distance in floats.
static constexpr int64_t kAhead = 2048;

using DoubleVector =
    double __attribute__((vector_size(kFour * sizeof(double))));

[[gnu::always_inline]] static inline DoubleVector load(const double *from) {
  DoubleVector values;
  __builtin_memcpy(&values, from, sizeof(values));
  return values;
}

/// y := y + four scaled rows, from column \p first on. Prefetches the rows
/// \p next from column \p nextFirst on into the L2 cache.
[[gnu::always_inline]] static inline void
addFourRows(int64_t count, const double *scales, const float *const *rows,
            int64_t first, const float *const *next, int64_t nextFirst,
            double *y) {
  const float *a = rows[0] + first, *b = rows[1] + first, *c = rows[2] + first,
              *d = rows[3] + first;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int64_t row = 0; row < kFour; ++row)
      __builtin_prefetch(next[row] + nextFirst + i, /*rw=*/0, /*locality=*/2);
    for (int64_t k = i; k < i + kLanes; ++k)
      y[k] += scales[0] * a[k] + scales[1] * b[k] + scales[2] * c[k] +
              scales[3] * d[k];
  }
  for (; i < count; ++i)
    y[i] += scales[0] * a[i] + scales[1] * b[i] + scales[2] * c[i] +
            scales[3] * d[i];
}

NNET3_CLONES void addScaledRows(int64_t count, int64_t numRows,
                                const double *scales, const float *const *rows,
                                double *y) {
  const int64_t end = numRows / kFour * kFour;
  const int64_t rowsAhead =
      (kAhead / std::min(count, kMostSums) + kFour - 1) / kFour * kFour;
  for (int64_t first = 0; first < count; first += kMostSums) {
    const int64_t size = std::min(count - first, kMostSums);
    for (int64_t r = 0; r < end; r += kFour) {
      // After the last row, continue with the first rows of the next columns.
      int64_t next = r + rowsAhead, nextFirst = first;
      if (next >= end) {
        next = std::min(next - end, end - kFour);
        nextFirst = std::min(first + kMostSums, count - 1);
      }
      addFourRows(size, scales + r, rows + r, first, rows + next, nextFirst,
                  y + first);
    }
    for (int64_t r = end; r < numRows; ++r)
      for (int64_t i = first; i < first + size; ++i)
        y[i] += scales[r] * rows[r][i];
  }
}

NNET3_CLONES void addScaled(int64_t count, double scale, const double *x,
                            double *y) {
  for (int64_t i = 0; i < count; ++i)
    y[i] += scale * x[i];
}

NNET3_CLONES double dotProduct(int64_t count, const double *x,
                               const double *y) {
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane)
      lanes[lane] += x[i + lane] * y[i + lane];
  double sum = 0;
  for (double lane : lanes)
    sum += lane;
  for (; i < count; ++i)
    sum += x[i] * y[i];
  return sum;
}

NNET3_CLONES void multiplySymmetric(int64_t dim, const double *matrix,
                                    const double *x, double *out) {
  // Each element below the diagonal also stands for its mirror image above.
  const double *row = matrix;
  int64_t r = 0;
  for (; r + kFour <= dim; r += kFour) {
    const double *rows[kFour];
    for (int64_t k = 0; k < kFour; row += r + ++k)
      rows[k] = row;
    DoubleVector sums[kFour] = {};
    for (int64_t i = 0; i < r; i += kFour) {
      const DoubleVector values = load(x + i);
      DoubleVector above = load(out + i);
      for (int64_t k = 0; k < kFour; ++k) {
        const DoubleVector elements = load(rows[k] + i);
        sums[k] += elements * values;
        above += elements * x[r + k];
      }
      __builtin_memcpy(out + i, &above, sizeof(above));
    }
    for (int64_t k = 0; k < kFour; ++k) {
      double sum = 0;
      for (int64_t i = 0; i < kFour; ++i)
        sum += sums[k][i] + rows[std::max(i, k)][r + std::min(i, k)] * x[r + i];
      out[r + k] = sum;
    }
  }
  for (; r < dim; row += ++r) {
    out[r] = dotProduct(r + 1, row, x);
    for (int64_t i = 0; i < r; ++i)
      out[i] += row[i] * x[r];
  }
}

} // namespace rt
} // namespace nnet3
