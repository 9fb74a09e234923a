//===- BackwardKernel.h - Backward passes of components ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_BACKWARDKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_BACKWARDKERNEL_H

#include "StageOperands.h"

#include "nnet3/Arithmetic/BackwardInterface.h"

namespace mlir::nnet3 {

/// The derivative of a component's input, of which a block of threads computes
/// a row; or what each row adds to a sum, as a row of its own.
struct BackwardKernel {
  BackwardKernelInterface component;
  /// Number of the sum; none for the derivative of the input.
  std::optional<unsigned> sum;
  int64_t rows;
  int64_t
      columns; ///< of what is written, or of the derivative if there are more
  /// Distances of rows; none where the value is not there.
  int64_t derivStride;
  std::optional<int64_t> inputStride, outputStride;
  int64_t destStride = 0; ///< of what is written
  /// Whether it is added to what is there.
  bool adds = false;

  /// Whether self-repair adds anything.
  bool hasRepairs = false;

  /// Number of kernel vectors that are read.
  unsigned getNumVectors() const;
  /// Which of the places is that of what is written.
  unsigned getDest() const { return getNumVectors() + hasRepairs; }

  /// Creates the body of `launch`; its arguments are those of StageOperands.
  void emit(kernel::LaunchOp launch) const;

private:
  OperandShapes getOperands() const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_BACKWARDKERNEL_H
