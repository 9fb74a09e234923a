//===- StageMemory.h - Memory of grid-wide phases ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STAGEMEMORY_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STAGEMEMORY_H

#include "StatisticsLayout.h"

#include "nnet3/Arithmetic/StagedInterface.h"
#include "nnet3/Arithmetic/StatisticsInterface.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include <optional>

namespace mlir::nnet3 {

/// Returns the component of a command if its pass consists of several grid-wide
/// phases ("stages"); else null.
StagedKernelInterface getStaged(PropagateOp op, ComponentTable &components);
StagedKernelInterface getStaged(BackpropOp op, ComponentTable &components);

/// Returns the description of a command for its component. `isShared`: whether
/// other processes compute parts of the same minibatch.
StagedCommand getStagedCommand(PropagateOp op, bool isShared);
StagedCommand getStagedCommand(BackpropOp op, bool isShared);

/// Returns the description of a command for a component that keeps statistics.
StagedCommand getStatisticsCommand(StoreStatsOp op);
StagedCommand getStatisticsCommand(BackpropOp op, Operation *component,
                                   StatisticsPhase phase);

/// Whether a component, or the component it is part of, has parameters: then
/// the statistics of its backward pass belong to its gradient.
bool addsToGradient(Operation *component);

/// Memory that components with several grid-wide phases need: a scratch buffer
/// that commands reuse, and memory that is kept: memos, the state of the random
/// number generator, statistics, and the terms that self-repair adds. Sizes are
/// in floats.
class StageMemory {
public:
  StageMemory(ComputationOp computation, bool isShared);

  int64_t getScratchSize() const { return scratchSize; }
  int64_t getKeptSize() const { return keptSize; }
  /// Offsets in the kept memory.
  int64_t getMemo(Value memo) const { return memos.lookup(memo); }
  std::optional<int64_t> getRandom() const { return random; }
  int64_t getStatistics() const { return statistics; }
  const StatisticsLayout &getLayout() const { return layout; }
  /// None for components without self-repair.
  std::optional<int64_t> getRepairs(Operation *component) const {
    auto place = repairs.find(component);
    return place == repairs.end() ? std::nullopt : std::optional(place->second);
  }

private:
  int64_t keep(int64_t size);
  void needScratch(int64_t size);
  void addMatrices(ComputationOp computation, ComponentTable &components);
  void addStatistics(ComputationOp computation, ComponentTable &components);

  bool isShared;
  int64_t scratchSize = 0, keptSize = 0;
  StatisticsLayout layout;
  int64_t statistics = 0;
  DenseMap<Operation *, int64_t> repairs;
  DenseMap<Value, int64_t> memos;
  std::optional<int64_t> random;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STAGEMEMORY_H
