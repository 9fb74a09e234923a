//===- WholeRowKernel.h - Components that combine columns -------*- C++ -*-===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_WHOLEROWKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_WHOLEROWKERNEL_H

#include "nnet3/Fusion/KernelInterfaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nnet3 {

/// A component of which a block of threads computes a row.
struct WholeRowKernel {
  int64_t rows, columns; ///< of the input
  int64_t inputStride, outputStride;
  RowKernelInterface component;

  /// Creates the body of `function`: arena, weights, row tables, context, then
  /// the places of each index list in the tables, of the output and the input.
  void emit(func::FuncOp function) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_WHOLEROWKERNEL_H
