//===- RollLoops.h - Roll the steps of recurrences into loops ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LOOPS_ROLLLOOPS_H
#define NNET3_LOOPS_ROLLLOOPS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

struct RollOptions {
  int64_t maxPeriod = 512; ///< maximum number of commands of a step
  int64_t minRounds = 2;   ///< minimum number of iterations of a loop
};

/// Rolls repeated commands into loops (`nnet3-roll-loops`). Returns whether the
/// computation changes.
bool rollLoops(ComputationOp computation, const RollOptions &options = {});

} // namespace mlir::nnet3

#endif // NNET3_LOOPS_ROLLLOOPS_H
