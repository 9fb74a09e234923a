//===- StepRounds.h - Steps of a recurrence that repeat ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_STEPROUNDS_H
#define NNET3_COMPILE_STEPROUNDS_H

#include "nnet3/Compile/Steps.h"

namespace mlir::nnet3 {

/// Steps of a recurrence in rounds that differ only in time: each round has
/// steps of the same nodes, whose rows and the rows that they read move by
/// constant distances from round to round. Rounds in the middle are elided:
/// they have no commands, because the ones before and behind them say what
/// these would be.
struct StepRounds {
  int32_t begin;  ///< First step of the first round.
  int32_t period; ///< Number of steps of a round.
  int32_t count;  ///< Number of rounds, including the elided ones.
  int32_t firstElided, numElided;
  /// For each step of a round, whether commands outside of the recurrence read
  /// its rows of elided rounds. The rows of all rounds then form one matrix.
  std::vector<bool> stacked;

  int32_t end() const { return begin + period * count; }
  bool contains(int32_t step) const { return step >= begin && step < end(); }
  int32_t getRound(int32_t step) const { return (step - begin) / period; }
  /// The number of a step within its round.
  int32_t getNumber(int32_t step) const { return (step - begin) % period; }
  bool isElided(int32_t step) const {
    return contains(step) && getRound(step) >= firstElided &&
           getRound(step) < firstElided + numElided;
  }
  bool isStacked(int32_t step) const {
    return contains(step) && stacked[getNumber(step)];
  }
};

/// Finds the recurrences in which rounds can be elided if no step has a
/// derivative, in ascending order.
std::vector<StepRounds> findStepRounds(const ComputationGraph &graph,
                                       const StepList &steps);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_STEPROUNDS_H
