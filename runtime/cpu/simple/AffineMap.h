//===- AffineMap.h - Affine maps of rows, forward and backward --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the affine components (spec: components.md 6.1-6.5): Y = 1 b^T +
// sum_i X_i W_i^T, where W_i is block i of the columns of W, which has one row
// per output unit. Each X_i is a strided view of rows of the input, so there is
// one matmul per offset and no copy. Plain affine maps have a single X_i = X.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_SIMPLE_AFFINEMAP_H
#define NNET3_RUNTIME_CPU_SIMPLE_AFFINEMAP_H

#include "core/ComponentState.h"
#include "nnet3/runtime/MatrixView.h"

#include <cstdint>

namespace nnet3 {
namespace rt {

/// The rows of the input in each X_i.
struct InputParts {
  const int32_t *offsets; ///< the first row of each
  int32_t count;
  int32_t rowStride;

  template <typename Scalar>
  BasicMatrixView<Scalar> part(const BasicMatrixView<Scalar> &input, int32_t i,
                               int32_t rows) const {
    return BasicMatrixView<Scalar>(input.row(offsets[i]), rows, input.cols,
                                   input.stride * rowStride);
  }
};

/// The parts of a plain affine map.
InputParts wholeInput();

/// out := 1 bias^T + sum_i in_i W_i^T; if \p bias is null, adds the sum to
/// \p out.
void affineForward(const InputParts &parts, ConstMatrixView in,
                   ConstMatrixView weights, const float *bias, MatrixView out);

/// inDeriv_i := inDeriv_i + outDeriv W_i.
void affineInDeriv(const InputParts &parts, ConstMatrixView outDeriv,
                   ConstMatrixView weights, MatrixView inDeriv);

/// Bytes of the scratch buffer of affineUpdate() for weights of \p width
/// columns.
uint64_t affineUpdateScratch(int32_t rows, int32_t width, int32_t outputDim,
                             bool hasBias, bool hasPreconditioners);

/// Adds the learning rate times the gradient to the weights and the bias, if
/// any, of \p state. Unless the state is a gradient, preconditions the input
/// and the output derivative if \p state has preconditioners. Does not change
/// parameters at learning rate 0.
void affineUpdate(const InputParts &parts, ConstMatrixView in,
                  ConstMatrixView outDeriv, void *scratch,
                  ComponentState &state);

/// The options of a preconditioner; fails if one is out of range.
NaturalGradientOptions checkedPreconditioner(AttributeReader &attributes,
                                             int32_t rank, int32_t updatePeriod,
                                             float alpha,
                                             float numSamplesHistory = 2000);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_AFFINEMAP_H
