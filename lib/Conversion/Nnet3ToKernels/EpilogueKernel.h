//===- EpilogueKernel.h - What happens to sums of products ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_EPILOGUEKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_EPILOGUEKERNEL_H

#include "KernelArguments.h"

namespace mlir::nnet3 {

/// The part of `nnet3.fused_affine` behind the products, for devices, whose
/// libraries leave sums in memory: y := f(x + init + bias) + scale residual.
struct EpilogueKernel {
  int64_t rows, columns;
  /// The bias and the vectors of the steps have so many columns, and are those
  /// of the next columns again.
  int64_t period;
  int64_t inputStride, outputStride;
  bool bias = false;
  std::optional<int64_t> initStride, residualStride;
  int64_t initRows = 0; ///< added in turn
  float residualScale = 1;
  SmallVector<ElementwiseKernelInterface> steps;
  std::optional<kernel::Form> form;
  /// With these, the sums of the only row are computed here, by a warp for
  /// each, or a block of threads: products of so many columns each of the
  /// weights, whose rows are `weightsStride` apart.
  SmallVector<int64_t> depths;
  int64_t weightsStride = 0;
  /// Columns of a thread, of the sums where they are computed: places and
  /// distances are multiples of it.
  int64_t width = 1;

  /// Whether the output is the input.
  bool isIdentity() const {
    return !bias && !initStride && !residualStride && steps.empty() &&
           depths.empty();
  }

  unsigned getNumPlaces() const;
  /// Notes in `launch` who computes each of `points` sums, or several.
  void setTeams(kernel::LaunchOp launch, int64_t points) const;

  /// Creates the body of `launch`: arena, weights, row tables, then
  /// the places of weights and input of each product, of bias, each vector of
  /// the steps, output, sums, init and residual, as far as they are there.
  void emit(kernel::LaunchOp launch) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_EPILOGUEKERNEL_H
