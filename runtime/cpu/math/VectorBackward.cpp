//===- VectorBackward.cpp - Loops of the backward pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorBackward.h"
#include "Clones.h"
#include "Float.h"

namespace nnet3 {
namespace rt {

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

namespace {

/// Sums over a few rows in contiguous float arrays. The target arrays are far
/// apart, often by a power of two, and would conflict in the cache.
struct LstmSums {
  float value[5][kLstmColumns], deriv[5][kLstmColumns],
      gradient[3][kLstmColumns];
};

} // namespace

template <bool kTrains>
NNET3_INLINE void lstmDerivRow(int32_t n, const LstmDerivRows &rows, int32_t r,
                               LstmSums &sums) {
  const int64_t pitch = rows.pitch;
  const float *iPart = rows.x + r * rows.xStride, *fPart = iPart + pitch,
              *cPart = fPart + pitch, *oPart = cPart + pitch,
              *cPrev = oPart + pitch;
  const float *wi = rows.w, *wf = wi + pitch, *wo = wf + pitch;
  const float *repair = rows.repair;
  const float *dcOut = rows.dy + r * rows.dyStride, *dm = dcOut + pitch;
  const float *scales = rows.scales + r * rows.scaleStride;
  const float iScale = scales[0], fScale = scales[1], oScale = scales[2];
  float *dx = rows.dx + r * rows.dxStride;
  NNET3_INDEPENDENT
  for (int32_t j = 0; j < n; ++j) {
    const float i = fastSigmoid(iPart[j] + wi[j] * cPrev[j]);
    const float f = fastSigmoid(fPart[j] + wf[j] * cPrev[j]);
    const float g = fastTanh(cPart[j]);
    const float c = f * fScale * cPrev[j] + i * iScale * g;
    const float o = fastSigmoid(oPart[j] + wo[j] * c);
    const float t = fastTanh(c);
    const float iDeriv = i * (1 - i), fDeriv = f * (1 - f), gDeriv = 1 - g * g,
                oDeriv = o * (1 - o), tDeriv = 1 - t * t;
    const float oIn =
        oDeriv * oScale * t * dm[j] - (2 * o - 1) * repair[3 * pitch + j];
    const float dc = tDeriv * o * oScale * dm[j] + dcOut[j] + wo[j] * oIn -
                     t * repair[4 * pitch + j];
    const float fIn =
        fDeriv * dc * fScale * cPrev[j] - (2 * f - 1) * repair[pitch + j];
    const float iIn = iDeriv * dc * iScale * g - (2 * i - 1) * repair[j];
    const float gIn = gDeriv * i * iScale * dc - g * repair[2 * pitch + j];
    if (kTrains) {
      const float values[] = {i, f, g, o, t};
      const float derivs[] = {iDeriv, fDeriv, gDeriv, oDeriv, tDeriv};
      for (int k = 0; k < 5; ++k) {
        sums.value[k][j] += values[k];
        sums.deriv[k][j] += derivs[k];
      }
      sums.gradient[0][j] += cPrev[j] * iIn;
      sums.gradient[1][j] += cPrev[j] * fIn;
      sums.gradient[2][j] += c * oIn;
    }
    dx[j] = iIn;
    dx[pitch + j] = fIn;
    dx[2 * pitch + j] = gIn;
    dx[3 * pitch + j] = oIn;
    dx[4 * pitch + j] = wi[j] * iIn + wf[j] * fIn + f * fScale * dc;
  }
}

/// to := to + from, for \p count rows.
NNET3_INLINE void addSums(int32_t n, int32_t count,
                          const float (*from)[kLstmColumns], double *to,
                          int64_t pitch) {
  for (int32_t k = 0; k < count; ++k)
    for (int32_t j = 0; j < n; ++j)
      to[k * pitch + j] += from[k][j];
}

NNET3_CLONES void vecLstmDeriv(int32_t n, const LstmDerivRows &rows,
                               const LstmTraining *training) {
  LstmSums sums;
  if (!training) {
    for (int32_t r = 0; r < rows.rows; ++r)
      lstmDerivRow<false>(n, rows, r, sums);
    return;
  }
  sums = {};
  for (int32_t r = 0; r < rows.rows; ++r)
    lstmDerivRow<true>(n, rows, r, sums);
  addSums(n, 5, sums.value, training->sum, rows.pitch);
  addSums(n, 5, sums.deriv, training->derivSum, rows.pitch);
  addSums(n, 3, sums.gradient, training->gradient, rows.pitch);
}

} // namespace rt
} // namespace nnet3
