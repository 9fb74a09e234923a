//===- VectorImage.cpp - Loops over pixels of images ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorImage.h"
#include "Clones.h"
#include "Float.h"

namespace nnet3 {
namespace rt {

/// Returns the larger of x and the previous maximum; NaN if either is NaN.
static NNET3_INLINE float largest(float x, float before) {
  const float larger = x > before ? x : before;
  return x != x ? x : larger;
}

// Step 1 is the usual case and vectorises much better.

NNET3_CLONES void vecMax(int64_t n, int64_t step, const float *x, float *y) {
  if (step == 1) {
    NNET3_INDEPENDENT
    for (int64_t i = 0; i < n; ++i)
      y[i] = largest(x[i], y[i]);
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    y[i] = largest(x[i * step], y[i]);
}

NNET3_CLONES void vecAddWhereEqual(int64_t n, int64_t step, const float *x,
                                   const float *y, const float *dy, float *dx) {
  if (step == 1) {
    NNET3_INDEPENDENT
    for (int64_t i = 0; i < n; ++i)
      dx[i] += x[i] == y[i] ? dy[i] : 0.0f;
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    dx[i * step] += x[i * step] == y[i] ? dy[i] : 0.0f;
}

void vecGather(int64_t n, int64_t step, const float *x, float *y) {
  for (int64_t i = 0; i < n; ++i)
    y[i] = x[i * step];
}

void vecAddScattered(int64_t n, int64_t step, const float *x, float *y) {
  for (int64_t i = 0; i < n; ++i)
    y[i * step] += x[i];
}

} // namespace rt
} // namespace nnet3
