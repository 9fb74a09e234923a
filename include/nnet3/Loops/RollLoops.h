//===- RollLoops.h - Make loops of the steps of recurrences -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LOOPS_ROLLLOOPS_H
#define NNET3_LOOPS_ROLLLOOPS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

struct RollOptions {
  int64_t maxPeriod = 512; ///< most commands of a step
  int64_t minRounds = 2;   ///< fewest rounds that make a loop
};

/// Makes loops of commands that come again and again (`nnet3-roll-loops`).
/// Returns whether anything changes.
bool rollLoops(ComputationOp computation, const RollOptions &options = {});

} // namespace mlir::nnet3

#endif // NNET3_LOOPS_ROLLLOOPS_H
