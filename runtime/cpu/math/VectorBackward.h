//===- VectorBackward.h - Loops of the backward pass ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As VectorMath.h: derivatives of rows of floats, and sums over rows for
// statistics, in double precision. An output may be the same memory as an input
// of the same type; otherwise they do not overlap.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_VECTORBACKWARD_H
#define NNET3_RUNTIME_CPU_MATH_VECTORBACKWARD_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// sumsq := sumsq + y^2
void vecAddSquares(int64_t n, const float *y, double *sumsq);

/// sum := sum + y, derivSum := derivSum + f'(x), where y = f(x).
void vecReluStats(int64_t n, const float *y, double *sum, double *derivSum);
void vecSigmoidStats(int64_t n, const float *y, double *sum, double *derivSum);
void vecTanhStats(int64_t n, const float *y, double *sum, double *derivSum);

/// Self-repair (spec: components.md 3.2). Adds a term to dx that moves x
/// towards larger f' if amount > 0, and towards smaller f' if amount < 0.
void vecReluRepair(int64_t n, const float *amount, const float *y, float *dx);
void vecSigmoidRepair(int64_t n, const float *amount, const float *y,
                      float *dx);
void vecTanhRepair(int64_t n, const float *amount, const float *y, float *dx);

/// dx := y (dy - dot), where dot is the inner product of y and dy.
void vecSoftmaxDeriv(int64_t n, const float *y, const float *dy, float dot,
                     float *dx);
/// dx := dy - exp(y) sum, where sum is the sum of dy.
void vecLogSoftmaxDeriv(int64_t n, const float *y, const float *dy, float sum,
                        float *dx);

/// sum := sum + x, dot := dot + x y
void vecAccumulateDot(int64_t n, const float *x, const float *y, double *sum,
                      double *dot);
/// z := x xScale + y yScale + offset
void vecScaleTwo(int64_t n, const float *x, const float *xScale, const float *y,
                 const float *yScale, const float *offset, float *z);

/// Rows of the LSTM nonlinearity's backward pass. Within a row, blocks are
/// `pitch` values apart.
struct LstmDerivRows {
  int32_t rows;
  const float *x; ///< the five blocks i, f, c, o, c_prev
  int64_t xStride;
  const float *dy; ///< of c and m
  int64_t dyStride;
  const float *scales; ///< of the gates i, f and o
  int64_t scaleStride;
  float *dx; ///< five blocks
  int64_t dxStride;
  // The same for all rows:
  const float *w;      ///< the three peephole rows
  const float *repair; ///< five rows: terms that self-repair adds
  int64_t pitch;
};

/// The accumulators of statistics and of the gradient.
struct LstmTraining {
  double *sum;      ///< five rows: sums of i, f, tanh(c_part), o, tanh(c)
  double *derivSum; ///< of their derivatives by their arguments
  double *gradient; ///< three rows: gradient of w, added to
};

/// Largest number of columns of vecLstmDeriv(), and of rows whose float sums
/// stay accurate.
constexpr int32_t kLstmColumns = 256, kLstmRows = 16;

/// Computes columns 0 to n - 1 of each block (spec: components.md 6.15).
/// \p training may be null.
void vecLstmDeriv(int32_t n, const LstmDerivRows &rows,
                  const LstmTraining *training);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_VECTORBACKWARD_H
