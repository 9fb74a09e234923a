//===- BackwardKernel.h - Backward passes of components ---------*- C++ -*-===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_BACKWARDKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_BACKWARDKERNEL_H

#include "StageOperands.h"

#include "nnet3/Fusion/BackwardInterface.h"

namespace mlir::nnet3 {

/// The derivative of a component's input, of which a block of threads computes
/// a row; or that of a parameter, a sum over rows, of which a block computes a
/// column.
struct BackwardKernel {
  /// Null for the sum of the derivative itself, as of a bias.
  BackwardKernelInterface component;
  /// Number of the sum; none for the derivative of the input.
  std::optional<unsigned> sum;
  int64_t rows;
  int64_t
      columns; ///< of what is written, or of the derivative if there are more
  /// Distances of rows; none where the value is not there.
  int64_t derivStride;
  std::optional<int64_t> inputStride, outputStride;
  int64_t destStride = 0; ///< of the input's derivative
  /// Whether it is added to what is there, as sums are.
  bool adds = false;
  /// Whether what each row adds to the sum is stored as a row of its own.
  bool isApart = false;

  /// Number of kernel vectors that are read.
  unsigned getNumVectors() const;

  /// Creates the body of `function`; its arguments are those of StageOperands.
  void emit(func::FuncOp function) const;

private:
  OperandShapes getOperands() const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_BACKWARDKERNEL_H
