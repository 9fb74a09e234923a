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

template <bool kTrains>
NNET3_INLINE void lstmDeriv(int64_t n, int64_t pitch, const LstmDerivRow &row,
                            const LstmTraining &training) {
  const float *iPart = row.x, *fPart = iPart + pitch, *cPart = fPart + pitch,
              *oPart = cPart + pitch, *cPrev = oPart + pitch;
  const float *wi = row.w, *wf = wi + pitch, *wo = wf + pitch;
  float *di = row.dx, *df = di + pitch, *dg = df + pitch, *dout = dg + pitch,
        *dPrev = dout + pitch;
  NNET3_INDEPENDENT
  for (int64_t j = 0; j < n; ++j) {
    const float i = fastSigmoid(iPart[j] + wi[j] * cPrev[j]);
    const float f = fastSigmoid(fPart[j] + wf[j] * cPrev[j]);
    const float g = fastTanh(cPart[j]);
    const float c = f * row.fScale * cPrev[j] + i * row.iScale * g;
    const float o = fastSigmoid(oPart[j] + wo[j] * c);
    const float t = fastTanh(c);
    const float dm = row.dy[pitch + j];
    float oIn = o * (1 - o) * row.oScale * t * dm;
    if (kTrains)
      oIn -= (2 * o - 1) * training.repair[3 * pitch + j];
    float dc = (1 - t * t) * o * row.oScale * dm + row.dy[j] + wo[j] * oIn;
    if (kTrains)
      dc -= t * training.repair[4 * pitch + j];
    float fIn = f * (1 - f) * dc * row.fScale * cPrev[j];
    float iIn = i * (1 - i) * dc * row.iScale * g;
    float gIn = (1 - g * g) * i * row.iScale * dc;
    if (kTrains) {
      fIn -= (2 * f - 1) * training.repair[pitch + j];
      iIn -= (2 * i - 1) * training.repair[j];
      gIn -= g * training.repair[2 * pitch + j];
      const float values[] = {i, f, g, o, t};
      const float derivs[] = {i * (1 - i), f * (1 - f), 1 - g * g, o * (1 - o),
                              1 - t * t};
      for (int k = 0; k < 5; ++k) {
        training.sum[k * pitch + j] += values[k];
        training.derivSum[k * pitch + j] += derivs[k];
      }
      training.gradient[j] += cPrev[j] * iIn;
      training.gradient[pitch + j] += cPrev[j] * fIn;
      training.gradient[2 * pitch + j] += c * oIn;
    }
    di[j] = iIn;
    df[j] = fIn;
    dg[j] = gIn;
    dout[j] = oIn;
    dPrev[j] = wi[j] * iIn + wf[j] * fIn + f * row.fScale * dc;
  }
}

NNET3_CLONES void vecLstmDeriv(int64_t n, int64_t pitch,
                               const LstmDerivRow &row,
                               const LstmTraining *training) {
  if (training)
    lstmDeriv<true>(n, pitch, row, *training);
  else
    lstmDeriv<false>(n, pitch, row, LstmTraining());
}

} // namespace runtime
} // namespace nnet3
