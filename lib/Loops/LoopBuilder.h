//===- LoopBuilder.h - A loop in place of rounds ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_LOOPBUILDER_H
#define NNET3_LIB_LOOPS_LOOPBUILDER_H

#include "Rounds.h"

namespace mlir::nnet3 {

/// How a run of rounds becomes a loop.
struct LoopShape {
  /// Rounds of the run that become one of the loop, so that each matrix that a
  /// round passes on is in the same place for all rounds of the loop.
  int64_t unroll = 1;
  int64_t count = 0; ///< rounds of the loop

  /// Nothing if the loop has fewer rounds than that.
  static std::optional<LoopShape> get(const Rounds &rounds, int64_t minRounds);

  /// The round of the run behind the loop.
  int64_t getEnd(const Rounds &rounds) const {
    return rounds.getBegin() + count * unroll;
  }
};

/// Whether the matrices that rounds make can stay within a loop, or pass from
/// one of its rounds to the next.
bool canBuildLoop(const Rounds &rounds, const LoopShape &shape);

/// Puts a loop in place of the rounds.
void buildLoop(const Rounds &rounds, const LoopShape &shape);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_LOOPBUILDER_H
