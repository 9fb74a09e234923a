//===- RollLoops.cpp - Roll recurrences into loops ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Loops/RollLoops.h"
#include "JoinSources.h"
#include "LoopBuilder.h"
#include "MatrixStacks.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Loops/Passes.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3ROLLLOOPS
#include "nnet3/Loops/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class LoopRoller {
public:
  LoopRoller(ComputationOp computation, const RollOptions &options)
      : computation(computation), options(options) {}

  bool stack();
  bool roll();

private:
  std::vector<Repetition> find(const CommandList &list) const {
    return findRepetitions(list.getSymbols(), options.maxPeriod,
                           std::max<int64_t>(options.minRounds, 2));
  }

  ComputationOp computation;
  RollOptions options;
  PassCount numLoops{"loops"};
  PassCount numRolled{"commands rolled up"};
  PassCount numStacks{"matrices of all rounds"};
};
} // namespace

/// Stacks the matrices of repetitions that outlive their rounds; false if there
/// are none.
bool LoopRoller::stack() {
  CommandList list(computation);
  bool changed = false;
  // In reverse order: stacking the matrices of a repetition erases only
  // commands after its start.
  std::vector<Repetition> repetitions = find(list);
  for (const Repetition &repetition : llvm::reverse(repetitions)) {
    Rounds rounds(list, repetition);
    // The compiler has stacked the matrices of elided rounds.
    if (rounds.getNumElided() > 0 || !rounds.findRun(options.minRounds))
      continue;
    std::optional<LoopShape> shape = LoopShape::get(rounds, options.minRounds);
    if (!shape)
      continue;
    SmallVector<int64_t> makers;
    for (int64_t i = 0; i < rounds.getPeriod(); ++i)
      if (rounds.getCommand(rounds.getBegin(), i)->getNumResults() > 0 &&
          outlivesRounds(rounds, i, shape->getEnd(rounds)))
        makers.push_back(i);
    for (int64_t maker : makers)
      if (stackMatrices(list, rounds, maker)) {
        ++numStacks;
        changed = true;
      }
  }
  return changed;
}

bool LoopRoller::roll() {
  CommandList list(computation);
  bool changed = false;
  // In reverse order: rolling a repetition changes only the commands after its
  // start.
  std::vector<Repetition> repetitions = find(list);
  for (const Repetition &repetition : llvm::reverse(repetitions)) {
    Rounds rounds(list, repetition);
    if (!rounds.findRun(options.minRounds))
      continue;
    std::optional<LoopShape> shape = LoopShape::get(rounds, options.minRounds);
    if (!shape || !canBuildLoop(rounds, *shape))
      continue;
    buildLoop(rounds, *shape);
    changed = true;
    ++numLoops;
    numRolled += (shape->count - 1) * shape->unroll * rounds.getPeriod();
  }
  return changed;
}

/// Replaces a matrix that takes over another one's storage by that: the loops
/// determine anew where storage is passed on.
static bool forgetMoves(ComputationOp computation) {
  auto moves = llvm::to_vector(computation.getBody().getOps<MoveMatrixOp>());
  for (MoveMatrixOp move : moves) {
    move.getResult().replaceAllUsesWith(move.getSource());
    move.erase();
  }
  return !moves.empty();
}

bool mlir::nnet3::rollLoops(ComputationOp computation,
                            const RollOptions &options) {
  LoopRoller roller(computation, options);
  bool changed = forgetMoves(computation);
  while (roller.stack())
    changed = true;
  changed |= joinSources(computation);
  changed |= roller.roll();
  if (changed)
    normalizeViews(computation);
  return changed;
}

namespace {
struct RollLoops : public nnet3::impl::Nnet3RollLoopsBase<RollLoops> {
  using Base::Base;

  bool createsLoops() const override { return true; }
  void runOnCommands() override {
    if (!rollLoops(getOperation(), {maxPeriod, minRounds}))
      markAllAnalysesPreserved();
  }
};
} // namespace
