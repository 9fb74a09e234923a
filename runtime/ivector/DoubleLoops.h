//===- DoubleLoops.h - Loops over doubles -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled for several instruction sets like cpu/math/VectorMath.h.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_IVECTOR_DOUBLELOOPS_H
#define NNET3_RUNTIME_IVECTOR_DOUBLELOOPS_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// y := y + scales[0] * rows[0] + ... for \p numRows rows. Prefetches rows,
/// which are expected to be in memory rather than in a cache.
void addScaledRows(int64_t count, int64_t numRows, const double *scales,
                   const float *const *rows, double *y);

/// y := y + scale * x
void addScaled(int64_t count, double scale, const double *x, double *y);

/// Returns the sum of x[i] * y[i].
double dotProduct(int64_t count, const double *x, const double *y);

/// out := matrix * x for a symmetric matrix of \p dim rows. \p matrix is its
/// lower triangle, packed row by row.
void multiplySymmetric(int64_t dim, const double *matrix, const double *x,
                       double *out);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_DOUBLELOOPS_H
