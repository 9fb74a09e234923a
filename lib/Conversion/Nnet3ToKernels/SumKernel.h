//===- SumKernel.h - Sums over rows in backward passes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_SUMKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_SUMKERNEL_H

#include "StageOperands.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/ColumnSums.h"

namespace mlir::nnet3 {

/// A stage of sums over rows, such as derivatives of parameters, for each
/// column (ColumnSums.h).
struct SumKernel {
  /// Null for the sum of the derivative itself, as of a bias.
  BackwardKernelInterface component;
  SmallVector<unsigned> sums; ///< numbers of the component's
  unsigned stage = 0;
  int64_t rows, columns;
  int64_t width; ///< columns of the sums; those of blocks are added up
  /// Distances of rows; none where the value is not there.
  int64_t derivStride;
  std::optional<int64_t> inputStride, outputStride;
  /// Whether the sums are added to what is there.
  bool adds = false;
  /// Whether self-repair adds anything to what is summed up.
  bool hasRepairs = false;

  ColumnSums getSums() const;

  /// Creates the body of `launch`; its arguments are those of StageOperands,
  /// the gradients being where the sums go.
  void emit(kernel::LaunchOp launch) const;

private:
  OperandShapes getOperands() const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_SUMKERNEL_H
