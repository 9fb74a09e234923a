//===- AffineMap.cpp - Affine maps of rows, forward and backward ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineMap.h"
#include "core/Gemm.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"
#include "nnet3/runtime/PreferredMatmul.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace nnet3 {
namespace rt {

namespace {

/// Returns the bias of \p state; no data if it has none.
MatrixView biasOf(const ComponentState &state) {
  return state.parameters.size() > 1 ? state.parameters[1] : MatrixView();
}

void plainUpdate(const InputParts &parts, ConstMatrixView in,
                 ConstMatrixView outDeriv, double *sums,
                 ComponentState &state) {
  const float rate = state.learningRate;
  if (rate == 0)
    return;
  for (int32_t i = 0; i < parts.count; ++i)
    gemmTN(outDeriv, parts.part(in, i, outDeriv.rows), rate,
           state.parameters[0].columns(int64_t(i) * in.cols, in.cols));
  const MatrixView bias = biasOf(state);
  if (!bias.data)
    return;
  std::fill_n(sums, bias.cols, 0.0);
  vecAddRows(bias.cols, outDeriv.rows, outDeriv.stride, outDeriv.data, sums);
  for (int32_t c = 0; c < bias.cols; ++c)
    bias.data[c] += static_cast<float>(rate * sums[c]);
}

/// Writes the rows [X_1 X_2 ... 1] to \p joined, the 1 only with a bias.
void joinParts(const InputParts &parts, ConstMatrixView in, bool hasBias,
               MatrixView joined) {
  for (int32_t r = 0; r < joined.rows; ++r) {
    float *to = joined.row(r);
    for (int32_t i = 0; i < parts.count; ++i, to += in.cols)
      std::memcpy(to, in.row(parts.offsets[i] + int64_t(r) * parts.rowStride),
                  sizeof(float) * in.cols);
    if (hasBias)
      *to = 1;
  }
}

/// Adds Y^T X; its last column belongs to the bias, if there is one.
void addProduct(ConstMatrixView y, ConstMatrixView x, float scale,
                MatrixView weights, float *bias) {
  gemmTN(y, x.columns(0, weights.cols), scale, weights);
  if (bias)
    for (int32_t r = 0; r < y.rows; ++r)
      vecAxpy(y.cols, scale * x.row(r)[weights.cols], y.row(r), bias);
}

/// Treats the bias as weights of a constant input 1. If one factor has far
/// fewer columns, the other one is not preconditioned itself; the result of the
/// matmul is corrected instead (prefersMatmul()).
void preconditionedUpdate(const InputParts &parts, ConstMatrixView in,
                          ConstMatrixView outDeriv, float *scratch,
                          ComponentState &state) {
  const MatrixView &weights = state.parameters[0];
  const MatrixView bias = biasOf(state);
  const int32_t rows = outDeriv.rows,
                xCols = weights.cols + (bias.data != nullptr);
  const MatrixView x(scratch, rows, xCols, paddedCols(xCols));
  const MatrixView copy(scratch + rows * x.stride, rows, outDeriv.cols,
                        paddedCols(outDeriv.cols));
  joinParts(parts, in, bias.data, x);
  Preconditioner &ofX = *state.preconditioners[0],
                 &ofY = *state.preconditioners[1];
  const int64_t mean = ofX.meanRows(rows);
  const bool keepsX = prefersMatmul(xCols, outDeriv.cols, mean),
             keepsY = prefersMatmul(outDeriv.cols, xCols, mean);
  if (!keepsY)
    joinParts(wholeInput(), outDeriv, false, copy);
  const ConstMatrixView y = keepsY ? outDeriv : ConstMatrixView(copy);
  double scale = state.learningRate;
  if (!keepsX)
    scale *= ofX.precondition(x);
  if (!keepsY)
    scale *= ofY.precondition(copy);
  PreconditionedProduct product;
  if (keepsX)
    product = ofX.preconditionProduct(x, y);
  if (keepsY)
    product = ofY.preconditionProduct(y, x);
  scale *= product.scale;
  if (state.learningRate == 0) // only the preconditioners were updated
    return;
  addProduct(y, x, static_cast<float>(scale), weights, bias.data);
  if (product.basis.rows > 0)
    addProduct(keepsX ? product.sums : product.basis,
               keepsX ? product.basis : product.sums,
               static_cast<float>(-scale), weights, bias.data);
}

} // namespace

InputParts wholeInput() {
  static constexpr int32_t kFirstRow = 0;
  return {&kFirstRow, 1, 1};
}

void affineForward(const InputParts &parts, ConstMatrixView in,
                   ConstMatrixView weights, const float *bias, MatrixView out) {
  if (bias)
    for (int32_t r = 0; r < out.rows; ++r)
      std::memcpy(out.row(r), bias, sizeof(float) * out.cols);
  for (int32_t i = 0; i < parts.count; ++i)
    gemmNT(parts.part(in, i, out.rows),
           weights.columns(int64_t(i) * in.cols, in.cols), 1.0f, out);
}

void affineInDeriv(const InputParts &parts, ConstMatrixView outDeriv,
                   ConstMatrixView weights, MatrixView inDeriv) {
  for (int32_t i = 0; i < parts.count; ++i)
    gemmNN(outDeriv, weights.columns(int64_t(i) * inDeriv.cols, inDeriv.cols),
           1.0f, 1.0f, parts.part(inDeriv, i, outDeriv.rows));
}

uint64_t affineUpdateScratch(int32_t rows, int32_t width, int32_t outputDim,
                             bool hasBias, bool hasPreconditioners) {
  const uint64_t sums = hasBias ? sizeof(double) * uint64_t(outputDim) : 0;
  if (!hasPreconditioners)
    return sums;
  const uint64_t rowFloats =
      paddedCols(uint64_t(width) + hasBias) + paddedCols(outputDim);
  // Limits the size, far above any possible allocation, so that bytes fit 64
  // bits.
  constexpr uint64_t kMostFloats = uint64_t(1) << 60;
  return std::max(sums, sizeof(float) *
                            std::min(kMostFloats, uint64_t(rows) * rowFloats));
}

void affineUpdate(const InputParts &parts, ConstMatrixView in,
                  ConstMatrixView outDeriv, void *scratch,
                  ComponentState &state) {
  if (state.isGradient || state.preconditioners.empty())
    plainUpdate(parts, in, outDeriv, static_cast<double *>(scratch), state);
  else
    preconditionedUpdate(parts, in, outDeriv, static_cast<float *>(scratch),
                         state);
}

NaturalGradientOptions checkedPreconditioner(AttributeReader &attributes,
                                             int32_t rank, int32_t updatePeriod,
                                             float alpha,
                                             float numSamplesHistory) {
  if (!(numSamplesHistory > 0 && numSamplesHistory <= 1e6f))
    attributes.fail("expects num_samples_history above 0 and up to 1e6, but "
                    "got " +
                    std::to_string(numSamplesHistory));
  if (!(alpha >= 0))
    attributes.fail("expects alpha of at least 0, but got " +
                    std::to_string(alpha));
  NaturalGradientOptions options;
  options.rank = rank;
  options.updatePeriod = updatePeriod;
  options.alpha = alpha;
  options.numSamplesHistory = numSamplesHistory;
  return options;
}

} // namespace rt
} // namespace nnet3
