//===- StepRounds.h - Steps of a recurrence that repeat ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_STEPROUNDS_H
#define NNET3_COMPILE_STEPROUNDS_H

#include "nnet3/Compile/NeededDerivatives.h"

namespace mlir::nnet3 {

/// Some rows of the matrix of a step, or of its stack.
struct StepRows {
  int32_t step;         ///< of a stack, the step of the first round
  int64_t first, count; ///< entries of the step or of the rounds' steps

  int64_t end() const { return first + count; }
};

/// Rows to whose derivatives elided rounds add.
struct AddedRows {
  StepRows rows;
  /// The range of `rows` that have no derivative before.
  int64_t firstNew, countNew;
};

/// Rounds that have no commands.
struct ElidedRounds {
  int32_t first = 0, count = 0;
  // Except for matrices of single rounds:
  /// The rows, other than their own, that they read in the forward pass.
  std::vector<StepRows> read;
  /// The rows to whose derivatives they add in the backward pass.
  std::vector<AddedRows> added;

  int32_t end() const { return first + count; }
};

/// Steps of a recurrence in rounds that differ only in time: each round has
/// steps of the same nodes, whose rows and the rows that they read move by
/// constant distances from round to round. Rounds in the middle are elided:
/// they have no commands, because the ones before and behind them say what
/// these would be.
struct StepRounds {
  int32_t begin;  ///< First step of the first round.
  int32_t period; ///< Number of steps of a round.
  int32_t count;  ///< Number of rounds, including the elided ones.
  /// The elided rounds of the forward pass.
  ElidedRounds forward;
  /// The elided rounds of the backward pass, in ascending order. There are
  /// several runs of rounds if different outputs depend on these.
  std::vector<ElidedRounds> backward;

  // For each step of a round:
  /// Whether the backward pass needs the value.
  std::vector<bool> savedValues;
  /// Whether the matrices of all rounds form one, its stack: for values that
  /// the backward pass or commands outside of the recurrence need, and for
  /// derivatives to which these add or with which the model is updated.
  std::vector<bool> stackedValues, stackedDerivs;
  /// Whether commands outside of the recurrence need the values of some of the
  /// rounds that differ only in time, but not of all.
  std::vector<bool> partlyRead;
  /// Whether its component is updated once, with the rows of all rounds.
  std::vector<bool> updated;

  int32_t end() const { return begin + period * count; }
  bool contains(int32_t step) const { return step >= begin && step < end(); }
  int32_t getRound(int32_t step) const { return (step - begin) / period; }
  /// The number of a step within its round.
  int32_t getNumber(int32_t step) const { return (step - begin) % period; }
  int32_t getStep(int32_t round) const { return begin + round * period; }
  /// The elided rounds of the forward or the backward pass that the step is
  /// part of; null if none.
  const ElidedRounds *getElided(int32_t step, bool isBackward) const {
    auto isPart = [&](const ElidedRounds &elided) {
      return step >= getStep(elided.first) && step < getStep(elided.end());
    };
    if (!isBackward)
      return isPart(forward) ? &forward : nullptr;
    for (const ElidedRounds &elided : backward)
      if (isPart(elided))
        return &elided;
    return nullptr;
  }
};

/// Finds the recurrences in which rounds can be elided, in ascending order;
/// `needed` are the steps with derivatives.
std::vector<StepRounds> findStepRounds(const ComputationGraph &graph,
                                       const StepList &steps,
                                       const DerivativeRequest &request,
                                       const std::vector<bool> &needed);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_STEPROUNDS_H
