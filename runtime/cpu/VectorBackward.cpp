//===- VectorBackward.cpp - Loops of the backward pass --------------------===//

#include "VectorBackward.h"
#include "Clones.h"
#include "Float.h"

namespace nnet3 {
namespace runtime {

NNET3_CLONES void vecAddSquares(int64_t n, const float *y, double *sumsq) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const double value = y[i];
    sumsq[i] += value * value;
  }
}

NNET3_CLONES void vecReluStats(int64_t n, const float *y, double *sum,
                               double *derivSum) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    sum[i] += y[i];
    derivSum[i] += y[i] > 0 ? 1.0 : 0.0;
  }
}

NNET3_CLONES void vecSigmoidStats(int64_t n, const float *y, double *sum,
                                  double *derivSum) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const double value = y[i];
    sum[i] += value;
    derivSum[i] += value * (1 - value);
  }
}

NNET3_CLONES void vecTanhStats(int64_t n, const float *y, double *sum,
                               double *derivSum) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const double value = y[i];
    sum[i] += value;
    derivSum[i] += 1 - value * value;
  }
}

NNET3_CLONES void vecReluRepair(int64_t n, const float *amount, const float *,
                                float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] += amount[i];
}

NNET3_CLONES void vecSigmoidRepair(int64_t n, const float *amount,
                                   const float *y, float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] += amount[i] * (1 - 2 * y[i]);
}

NNET3_CLONES void vecTanhRepair(int64_t n, const float *amount, const float *y,
                                float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] -= amount[i] * y[i];
}

NNET3_CLONES void vecSoftmaxDeriv(int64_t n, const float *y, const float *dy,
                                  float dot, float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] = y[i] * (dy[i] - dot);
}

NNET3_CLONES void vecLogSoftmaxDeriv(int64_t n, const float *y, const float *dy,
                                     float sum, float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] = dy[i] - fastExp(y[i]) * sum;
}

NNET3_CLONES void vecAccumulateDot(int64_t n, const float *x, const float *y,
                                   double *sum, double *dot) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const double value = x[i];
    sum[i] += value;
    dot[i] += value * y[i];
  }
}

NNET3_CLONES void vecScaleTwo(int64_t n, const float *x, const float *xScale,
                              const float *y, const float *yScale,
                              const float *offset, float *z) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    z[i] = x[i] * xScale[i] + y[i] * yScale[i] + offset[i];
}

} // namespace runtime
} // namespace nnet3
