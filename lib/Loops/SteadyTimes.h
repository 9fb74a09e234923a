//===- SteadyTimes.h - Times at which a request repeats ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_STEADYTIMES_H
#define NNET3_LIB_LOOPS_STEADYTIMES_H

#include "FewerFrames.h"

namespace mlir::nnet3 {

/// The times from `first` to `last`.
struct SteadyTimes {
  int64_t first, last;

  /// Returns the times of the outputs at which rows are computed like those a
  /// period later: no other output starts or ends, nor does an input as far as
  /// an output can depend on it. That a recurrence has no previous state at
  /// first is not considered. `rows` says for each input and output what it is
  /// in a request for fewer frames.
  static SteadyTimes get(RequestOp request, const NodeTable &nodes,
                         ArrayRef<FewerFrames::Rows> rows);
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_STEADYTIMES_H
