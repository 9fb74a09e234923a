//===- VectorMath.h - Loops over rows of floats -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inner loops of the elementwise kernels, compiled for several instruction
// sets and chosen when the program starts. Outputs and inputs are the same
// memory or do not overlap at all, unless stated otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_VECTORMATH_H
#define NNET3_RUNTIME_CPU_MATH_VECTORMATH_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// y := value
void vecFill(int64_t n, float value, float *y);
/// y := a x
void vecScale(int64_t n, float a, const float *x, float *y);
/// y := y + a x
void vecAxpy(int64_t n, float a, const float *x, float *y);
/// y := x + b
void vecAdd(int64_t n, const float *x, const float *b, float *y);
/// y := x b
void vecMul(int64_t n, const float *x, const float *b, float *y);
/// y := a b / c, or a where c is 0
void vecMulQuotient(int64_t n, const float *a, const float *b, const float *c,
                    float *y);
/// y := x where u is above the limit, else 0
void vecKeepAbove(int64_t n, float limit, const float *u, const float *x,
                  float *y);
/// y := x, clamped to [-limit, limit]
void vecClamp(int64_t n, float limit, const float *x, float *y);
/// y := x scale + offset
void vecScaleOffset(int64_t n, const float *x, const float *scale,
                    const float *offset, float *y);
/// y := (x - mean) scale
void vecNormalize(int64_t n, const float *x, const float *mean,
                  const float *scale, float *y);
/// sum := sum + x, sumsq := sumsq + x^2; no overlap
void vecAccumulate(int64_t n, const float *x, double *sum, double *sumsq);
/// sum := sum + the sum of \p rows rows of n values, \p stride values apart; no
/// overlap
void vecAddRows(int64_t n, int64_t rows, int64_t stride, const float *x,
                double *sum);

/// y := max(x, 0)
void vecRelu(int64_t n, const float *x, float *y);
/// y := 1 / (1 + exp(-x))
void vecSigmoid(int64_t n, const float *x, float *y);
/// y := tanh(x)
void vecTanh(int64_t n, const float *x, float *y);

/// dx := f'(x) dy, where y = f(x), for the three functions above.
void vecReluDeriv(int64_t n, const float *y, const float *dy, float *dx);
void vecSigmoidDeriv(int64_t n, const float *y, const float *dy, float *dx);
void vecTanhDeriv(int64_t n, const float *y, const float *dy, float *dx);

/// The largest of n >= 1 values. If some are NaN, others may be ignored.
float vecMax(int64_t n, const float *x);
/// The sum.
double vecSum(int64_t n, const float *x);
/// The sum of squares.
double vecSumSquares(int64_t n, const float *x);
/// The sum of squares, up to the rounding errors and the range of sums of four
/// squares in single precision; twice as fast.
double vecSumSquaresSingle(int64_t n, const float *x);
/// The inner product; the two may be the same.
double vecDot(int64_t n, const float *x, const float *y);
/// The sum of exp(x - shift).
double vecSumExp(int64_t n, const float *x, float shift);
/// y := exp(x - shift); returns the sum of y.
double vecExpSum(int64_t n, const float *x, float shift, float *y);
/// y := max(a y, least)
void vecScaleFloor(int64_t n, float a, float least, float *y);
/// y := x + a
void vecShift(int64_t n, const float *x, float a, float *y);

/// One row of the LSTM nonlinearity (spec: components.md 6.15). \p x holds the
/// five blocks i, f, c, o, c_prev of n values, \p w the three peephole rows,
/// \p y receives c and m; no overlap.
void vecLstm(int64_t n, const float *x, const float *w, float iScale,
             float fScale, float oScale, float *y);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_VECTORMATH_H
