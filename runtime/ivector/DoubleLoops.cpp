//===- DoubleLoops.cpp - Loops over doubles -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoubleLoops.h"
#include "cpu/math/Clones.h"

namespace nnet3 {
namespace rt {

/// Floats of a row that are on their way from memory while others are added.
static constexpr int64_t kAhead = 512;

NNET3_CLONES void addScaledRows(int64_t count, int64_t numRows,
                                const double *scales, const float *const *rows,
                                double *y) {
  // Four rows at a time, so that y is read and written a quarter as often.
  int64_t r = 0;
  for (; r + 4 <= numRows; r += 4) {
    const float *a = rows[r], *b = rows[r + 1], *c = rows[r + 2],
                *d = rows[r + 3];
    const double forA = scales[r], forB = scales[r + 1], forC = scales[r + 2],
                 forD = scales[r + 3];
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      __builtin_prefetch(a + i + kAhead);
      __builtin_prefetch(b + i + kAhead);
      __builtin_prefetch(c + i + kAhead);
      __builtin_prefetch(d + i + kAhead);
      for (int64_t k = i; k < i + kLanes; ++k)
        y[k] += forA * a[k] + forB * b[k] + forC * c[k] + forD * d[k];
    }
    for (; i < count; ++i)
      y[i] += forA * a[i] + forB * b[i] + forC * c[i] + forD * d[i];
  }
  for (; r < numRows; ++r) {
    const float *row = rows[r];
    const double scale = scales[r];
    for (int64_t i = 0; i < count; ++i)
      y[i] += scale * row[i];
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
  for (int64_t i = 0; i < dim; ++i)
    out[i] = 0;
  // Four rows at a time, so that out is read and written a quarter as often.
  int64_t r = 0;
  for (; r + 4 <= dim; r += 4) {
    const double *rows = matrix + r * dim;
    for (int64_t i = 0; i < dim; ++i)
      out[i] += x[r] * rows[i] + x[r + 1] * rows[dim + i] +
                x[r + 2] * rows[2 * dim + i] + x[r + 3] * rows[3 * dim + i];
  }
  for (; r < dim; ++r)
    for (int64_t i = 0; i < dim; ++i)
      out[i] += x[r] * matrix[r * dim + i];
}

} // namespace rt
} // namespace nnet3
