//===- SpliceKernel.h - Rows side by side -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_SPLICEKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_SPLICEKERNEL_H

#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3 {

/// Copies rows of several parts next to each other: row i of the output, which
/// has no gaps, is row i of each part. Rows are in batches: i is row i %
/// `batchRows` of batch i / `batchRows`.
struct SpliceKernel {
  int64_t rows, columns, parts; ///< columns of a part
  int64_t batchRows;
  int64_t rowDistance, batchDistance; ///< in floats, in each part
  int64_t width = 1; ///< columns of a thread: places are multiples of it
  /// Of 16 bits, two numbers are in a float of the output; the width is four.
  Precision precision = Precision::F32;

  /// Creates the body of `launch`: arena, weights, row tables, then
  /// the places of the output and of the first row of each part.
  void emit(kernel::LaunchOp launch) const;

private:
  Value locate(VectorEmitter &e, Value row) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_SPLICEKERNEL_H
