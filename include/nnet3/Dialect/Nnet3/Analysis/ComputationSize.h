//===- ComputationSize.h - How large a computation is -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_COMPUTATIONSIZE_H
#define NNET3_DIALECT_NNET3_ANALYSIS_COMPUTATIONSIZE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// How large a computation is: what reports and pass statistics show.
struct ComputationSize {
  /// As Kaldi counts them: all but views. An allocation with zeros counts as
  /// two, store_stats as part of its propagate.
  int64_t commands = 0;
  /// Storage that is allocated, or comes from the caller, however often it is
  /// moved or compressed; its bytes, and the most that there are at a time.
  int64_t matrices = 0, bytes = 0, peak = 0;

  static ComputationSize get(ComputationOp computation);

  bool operator==(const ComputationSize &other) const {
    return commands == other.commands && matrices == other.matrices &&
           bytes == other.bytes && peak == other.peak;
  }
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_COMPUTATIONSIZE_H
