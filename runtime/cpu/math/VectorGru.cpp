//===- VectorGru.cpp - Loops of the GRU nonlinearities --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorGru.h"
#include "Clones.h"
#include "Float.h"

namespace nnet3 {
namespace rt {

NNET3_CLONES void vecAddMul(int64_t n, const float *a, const float *b,
                            float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] += a[i] * b[i];
}

NNET3_CLONES void vecGruOutput(int64_t n, const float *z, const float *h,
                               const float *cPrev, float *c) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    c[i] = (1 - z[i]) * h[i] + z[i] * cPrev[i];
}

NNET3_CLONES void vecGruCandidateDeriv(int64_t n, const float *z,
                                       const float *h, const float *dh,
                                       const float *dc, float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] = (dh[i] + (1 - z[i]) * dc[i]) * (1 - h[i] * h[i]);
}

NNET3_CLONES void vecGruGateDeriv(int64_t n, const float *z, const float *h,
                                  const float *cPrev, const float *dc,
                                  float *dz, float *dcPrev) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    dz[i] += (cPrev[i] - h[i]) * dc[i];
    dcPrev[i] += z[i] * dc[i];
  }
}

} // namespace rt
} // namespace nnet3
