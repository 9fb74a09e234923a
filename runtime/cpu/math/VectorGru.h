//===- VectorGru.h - Loops of the GRU nonlinearities ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As VectorMath.h, for rows of n values of a GRU (spec: components.md 6.23):
// h is the candidate, c = (1 - z) h + z c_prev the output.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_VECTORGRU_H
#define NNET3_RUNTIME_CPU_MATH_VECTORGRU_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// y := y + a b
void vecAddMul(int64_t n, const float *a, const float *b, float *y);

/// c := (1 - z) h + z c_prev
void vecGruOutput(int64_t n, const float *z, const float *h, const float *cPrev,
                  float *c);

/// dx := (dh + (1 - z) dc) (1 - h^2), the derivative with respect to the
/// argument of the tanh of h.
void vecGruCandidateDeriv(int64_t n, const float *z, const float *h,
                          const float *dh, const float *dc, float *dx);

/// dz := dz + (c_prev - h) dc, dcPrev := dcPrev + z dc
void vecGruGateDeriv(int64_t n, const float *z, const float *h,
                     const float *cPrev, const float *dc, float *dz,
                     float *dcPrev);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_VECTORGRU_H
