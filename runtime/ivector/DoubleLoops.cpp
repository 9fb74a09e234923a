//===- DoubleLoops.cpp - Loops over doubles -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoubleLoops.h"
#include "cpu/math/Clones.h"

namespace nnet3 {
namespace rt {

NNET3_CLONES void addScaled(int64_t count, double scale, const float *x,
                            double *y) {
  for (int64_t i = 0; i < count; ++i)
    y[i] += scale * x[i];
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
