//===- RollLoops.cpp - Roll recurrences into loops ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Loops/RollLoops.h"
#include "JoinSources.h"
#include "LoopBuilder.h"
#include "MatrixStacks.h"
#include "Storage.h"
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
/// Rounds that a loop can replace, if that is possible.
struct Candidate {
  Rounds rounds;
  LoopShape shape;
};

/// Rolls the repetitions of a computation as it was when this was created.
class LoopRoller {
public:
  LoopRoller(ComputationOp computation, const RollOptions &options);

  bool stack();
  bool roll();

private:
  CommandList list;
  /// In reverse order: stacking the matrices of a repetition and rolling it
  /// change only the commands after its start.
  std::vector<Candidate> candidates;
  PassCount numLoops{"loops"};
  PassCount numRolled{"commands rolled up"};
  PassCount numStacks{"matrices of all rounds"};
};
} // namespace

LoopRoller::LoopRoller(ComputationOp computation, const RollOptions &options)
    : list(computation) {
  std::vector<Repetition> repetitions =
      findRepetitions(list.getSymbols(), options.maxPeriod,
                      std::max<int64_t>(options.minRounds, 2));
  for (const Repetition &repetition : llvm::reverse(repetitions)) {
    Rounds rounds(list, repetition);
    if (!rounds.findRun(options.minRounds))
      continue;
    if (auto shape = LoopShape::get(rounds, options.minRounds))
      candidates.push_back({std::move(rounds), *shape});
  }
}

/// Stacks the matrices of repetitions that outlive their rounds; false if there
/// are none.
bool LoopRoller::stack() {
  bool changed = false;
  for (const auto &[rounds, shape] : candidates) {
    // The compiler has stacked the matrices of elided rounds.
    if (rounds.getNumElided() > 0)
      continue;
    SmallVector<int64_t> makers;
    for (int64_t i = 0; i < rounds.getPeriod(); ++i)
      if (rounds.getCommand(rounds.getBegin(), i)->getNumResults() > 0 &&
          outlivesRounds(rounds, i, shape.getEnd(rounds)))
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
  bool changed = false;
  for (const auto &[rounds, shape] : candidates) {
    if (!canBuildLoop(rounds, shape))
      continue;
    buildLoop(rounds, shape);
    changed = true;
    ++numLoops;
    numRolled += (shape.count - 1) * shape.unroll * rounds.getPeriod();
  }
  return changed;
}

/// Whether rounds are elided that tell to reuse storage.
static bool reusesStorage(ComputationOp computation) {
  return llvm::any_of(computation.getBody().getOps<ElidedRoundsOp>(),
                      [](ElidedRoundsOp op) { return op.getReuseStorage(); });
}

/// Removes what is needed only while rounds are elided.
static void forgetKeptRows(ComputationOp computation) {
  Block &block = computation.getBody().front();
  if (block.getOps<ElidedRoundsOp>().empty())
    for (auto kept : llvm::make_early_inc_range(block.getOps<KeepRowsOp>()))
      kept.erase();
}

bool mlir::nnet3::rollLoops(ComputationOp computation,
                            const RollOptions &options) {
  const bool reuses = reusesStorage(computation) || splitStorage(computation);
  bool changed = false;
  while (true) {
    LoopRoller roller(computation, options);
    if (!roller.stack()) {
      changed |= roller.roll();
      break;
    }
    changed = true;
  }
  forgetKeptRows(computation);
  changed |= joinSources(computation);
  if (reuses)
    joinStorage(computation);
  if (changed || reuses)
    normalizeViews(computation);
  return changed || reuses;
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
