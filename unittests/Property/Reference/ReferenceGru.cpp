//===- ReferenceGru.cpp - Gated recurrent units, one row at a time --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceComponents.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// Returns [h, c], given h's input without the gated recurrent part.
static Vector finish(const double *z, const Vector &hInput,
                     const double *cPrev) {
  Vector y(2 * hInput.size());
  for (size_t i = 0; i < hInput.size(); ++i) {
    double h = std::tanh(hInput[i]);
    y[i] = h;
    y[hInput.size() + i] = (1 - z[i]) * h + z[i] * cPrev[i];
  }
  return y;
}

Vector mlir::nnet3::property::gru(const ReferenceComponent &component,
                                  const Vector &x) {
  auto op = llvm::cast<GruNonlinearityOp>(component.op);
  size_t C = op.getCellDim(), R = op.getRecurrentDim().value_or(C);
  const Vector &w = component["w_h"];
  const double *r = &x[C], *cPrev = &x[2 * C + R];
  const double *sPrev = R == C ? cPrev : cPrev + C;
  Vector hInput(x.begin() + C + R, x.begin() + 2 * C + R);
  for (size_t i = 0; i < C; ++i)
    for (size_t j = 0; j < R; ++j)
      hInput[i] += w[i * R + j] * r[j] * sPrev[j];
  return finish(x.data(), hInput, cPrev);
}

Vector mlir::nnet3::property::outputGru(const ReferenceComponent &component,
                                        const Vector &x) {
  size_t C = llvm::cast<OutputGruNonlinearityOp>(component.op).getCellDim();
  const double *cPrev = &x[2 * C];
  Vector hInput(x.begin() + C, x.begin() + 2 * C);
  for (size_t i = 0; i < C; ++i)
    hInput[i] += component["w_h"][i] * cPrev[i];
  return finish(x.data(), hInput, cPrev);
}
