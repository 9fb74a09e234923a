//===- VectorMath.cpp - Loops over rows of floats -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorMath.h"
#include "Clones.h"
#include "Float.h"

namespace nnet3 {
namespace rt {

NNET3_CLONES void vecFill(int64_t n, float value, float *y) {
  for (int64_t i = 0; i < n; ++i)
    y[i] = value;
}

NNET3_CLONES void vecScale(int64_t n, float a, const float *x, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = a * x[i];
}

NNET3_CLONES void vecAxpy(int64_t n, float a, const float *x, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] += a * x[i];
}

NNET3_CLONES void vecAdd(int64_t n, const float *x, const float *b, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = x[i] + b[i];
}

NNET3_CLONES void vecMul(int64_t n, const float *x, const float *b, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = x[i] * b[i];
}

NNET3_CLONES void vecMulQuotient(int64_t n, const float *a, const float *b,
                                 const float *c, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = c[i] == 0 ? a[i] : a[i] * (b[i] / c[i]);
}

NNET3_CLONES void vecKeepAbove(int64_t n, float limit, const float *u,
                               const float *x, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const float value = x[i];
    y[i] = u[i] > limit ? value : 0.0f;
  }
}

NNET3_CLONES void vecClamp(int64_t n, float limit, const float *x, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const float atMost = x[i] > limit ? limit : x[i];
    y[i] = atMost < -limit ? -limit : atMost; // NaN stays
  }
}

NNET3_CLONES void vecScaleOffset(int64_t n, const float *x, const float *scale,
                                 const float *offset, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = x[i] * scale[i] + offset[i];
}

NNET3_CLONES void vecNormalize(int64_t n, const float *x, const float *mean,
                               const float *scale, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = (x[i] - mean[i]) * scale[i];
}

NNET3_CLONES void vecAccumulate(int64_t n, const float *x, double *sum,
                                double *sumsq) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const double value = x[i];
    sum[i] += value;
    sumsq[i] += value * value;
  }
}

// Adds eight rows at a time in float32, so that the sums are read and written
// once per eight rows and rounding errors do not accumulate.
NNET3_CLONES void vecAddRows(int64_t n, int64_t rows, int64_t stride,
                             const float *x, double *sum) {
  int64_t r = 0;
  for (; r + 8 <= rows; r += 8, x += 8 * stride) {
    NNET3_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      const float *v = x + i;
      sum[i] +=
          ((v[0] + v[stride]) + (v[2 * stride] + v[3 * stride])) +
          ((v[4 * stride] + v[5 * stride]) + (v[6 * stride] + v[7 * stride]));
    }
  }
  for (; r < rows; ++r, x += stride) {
    NNET3_INDEPENDENT
    for (int64_t i = 0; i < n; ++i)
      sum[i] += x[i];
  }
}

NNET3_CLONES void vecRelu(int64_t n, const float *x, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = x[i] < 0 ? 0 : x[i]; // NaN stays
}

NNET3_CLONES void vecSigmoid(int64_t n, const float *x, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = fastSigmoid(x[i]);
}

NNET3_CLONES void vecTanh(int64_t n, const float *x, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = fastTanh(x[i]);
}

NNET3_CLONES void vecReluDeriv(int64_t n, const float *y, const float *dy,
                               float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] = y[i] > 0 ? dy[i] : 0.0f;
}

NNET3_CLONES void vecSigmoidDeriv(int64_t n, const float *y, const float *dy,
                                  float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] = y[i] * (1 - y[i]) * dy[i];
}

NNET3_CLONES void vecTanhDeriv(int64_t n, const float *y, const float *dy,
                               float *dx) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    dx[i] = (1 - y[i] * y[i]) * dy[i];
}

NNET3_CLONES float vecMax(int64_t n, const float *x) {
  float lanes[kLanes];
  for (float &lane : lanes)
    lane = x[0];
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int j = 0; j < kLanes; ++j)
      lanes[j] = x[i + j] > lanes[j] ? x[i + j] : lanes[j];
  float largest = lanes[0];
  for (float lane : lanes)
    largest = lane > largest ? lane : largest;
  for (; i < n; ++i)
    largest = x[i] > largest ? x[i] : largest;
  return largest;
}

NNET3_CLONES double vecSum(int64_t n, const float *x) {
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int j = 0; j < kLanes; ++j)
      lanes[j] += x[i + j];
  double total = 0;
  for (; i < n; ++i)
    total += x[i];
  for (double lane : lanes)
    total += lane;
  return total;
}

NNET3_CLONES double vecDot(int64_t n, const float *x, const float *y) {
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int j = 0; j < kLanes; ++j)
      lanes[j] += static_cast<double>(x[i + j]) * y[i + j];
  double total = 0;
  for (; i < n; ++i)
    total += static_cast<double>(x[i]) * y[i];
  for (double lane : lanes)
    total += lane;
  return total;
}

NNET3_CLONES double vecSumSquares(int64_t n, const float *x) {
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int j = 0; j < kLanes; ++j)
      lanes[j] += static_cast<double>(x[i + j]) * x[i + j];
  double total = 0;
  for (; i < n; ++i)
    total += static_cast<double>(x[i]) * x[i];
  for (double lane : lanes)
    total += lane;
  return total;
}

NNET3_CLONES double vecSumSquaresSingle(int64_t n, const float *x) {
  constexpr int kTerms = 4;
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kTerms * kLanes <= n; i += kTerms * kLanes)
    for (int j = 0; j < kLanes; ++j) {
      float sum = 0;
      for (int k = 0; k < kTerms; ++k)
        sum += x[i + k * kLanes + j] * x[i + k * kLanes + j];
      lanes[j] += sum;
    }
  double total = vecSumSquares(n - i, x + i);
  for (double lane : lanes)
    total += lane;
  return total;
}

NNET3_CLONES double vecSumExp(int64_t n, const float *x, float shift) {
  float lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int j = 0; j < kLanes; ++j)
      lanes[j] += fastExp(x[i + j] - shift);
  double total = 0;
  for (; i < n; ++i)
    total += fastExp(x[i] - shift);
  for (float lane : lanes)
    total += lane;
  return total;
}

NNET3_CLONES double vecExpSum(int64_t n, const float *x, float shift,
                              float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = fastExp(x[i] - shift);
  float lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int j = 0; j < kLanes; ++j)
      lanes[j] += y[i + j];
  double total = 0;
  for (; i < n; ++i)
    total += y[i];
  for (float lane : lanes)
    total += lane;
  return total;
}

NNET3_CLONES void vecScaleFloor(int64_t n, float a, float least, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const float value = a * y[i];
    y[i] = value < least ? least : value;
  }
}

NNET3_CLONES void vecShift(int64_t n, const float *x, float a, float *y) {
  NNET3_INDEPENDENT
  for (int64_t i = 0; i < n; ++i)
    y[i] = x[i] + a;
}

NNET3_CLONES void vecLstm(int64_t n, const float *x, const float *w,
                          float iScale, float fScale, float oScale, float *y) {
  const float *iPart = x, *fPart = x + n, *cPart = x + 2 * n,
              *oPart = x + 3 * n, *cPrev = x + 4 * n;
  const float *wi = w, *wf = w + n, *wo = w + 2 * n;
  NNET3_INDEPENDENT
  for (int64_t j = 0; j < n; ++j) {
    const float i = fastSigmoid(iPart[j] + wi[j] * cPrev[j]);
    const float f = fastSigmoid(fPart[j] + wf[j] * cPrev[j]);
    const float c = f * fScale * cPrev[j] + i * iScale * fastTanh(cPart[j]);
    const float o = fastSigmoid(oPart[j] + wo[j] * c);
    y[j] = c;
    y[n + j] = o * oScale * fastTanh(c);
  }
}

} // namespace rt
} // namespace nnet3
