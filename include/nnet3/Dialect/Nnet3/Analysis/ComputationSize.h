//===- ComputationSize.h - The size of a computation ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_COMPUTATIONSIZE_H
#define NNET3_DIALECT_NNET3_ANALYSIS_COMPUTATIONSIZE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// The size of a computation, for reports and pass statistics.
struct ComputationSize {
  /// Number of commands in Kaldi's count: without views; an allocation with
  /// zero-fill counts as two, store_stats as part of its propagate.
  int64_t commands = 0;
  /// Number of matrices that are allocated or come from the caller, where moves
  /// and compressions of a matrix do not count; the sum of their bytes, and the
  /// maximum of bytes that are live at a time.
  int64_t matrices = 0, bytes = 0, peak = 0;

  static ComputationSize get(ComputationOp computation);

  bool operator==(const ComputationSize &other) const {
    return commands == other.commands && matrices == other.matrices &&
           bytes == other.bytes && peak == other.peak;
  }
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_COMPUTATIONSIZE_H
