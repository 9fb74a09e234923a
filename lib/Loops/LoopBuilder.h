//===- LoopBuilder.h - Replace rounds by a loop -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_LOOPBUILDER_H
#define NNET3_LIB_LOOPS_LOOPBUILDER_H

#include "Rounds.h"

namespace mlir::nnet3 {

/// How a run of rounds becomes a loop.
struct LoopShape {
  /// Rounds of the run per round of the loop, chosen such that a matrix that is
  /// passed on is in the same slot in all rounds of the loop.
  int64_t unroll = 1;
  int64_t count = 0; ///< rounds of the loop
  int64_t begin = 0; ///< first round of the run in the loop

  /// Returns nothing if the loop would have fewer than `minRounds` rounds.
  static std::optional<LoopShape> get(const Rounds &rounds, int64_t minRounds);

  /// The first round of the run after the loop, without elided rounds.
  int64_t getEnd(const Rounds &rounds) const {
    return begin + count * unroll - rounds.getNumElided();
  }
};

/// Whether the matrices of the rounds are either local to a round of the loop
/// or can be passed from one round to the next.
bool canBuildLoop(const Rounds &rounds, const LoopShape &shape);

/// Replaces the rounds by a loop.
void buildLoop(const Rounds &rounds, const LoopShape &shape);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_LOOPBUILDER_H
