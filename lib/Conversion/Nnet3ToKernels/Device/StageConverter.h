//===- StageConverter.h - Components in grid-wide phases --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_STAGECONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_STAGECONVERTER_H

#include "CommandContext.h"
#include "DeviceMemory.h"

#include "nnet3/Arithmetic/StageEmission.h"

namespace mlir::nnet3 {

/// Converts each grid-wide phase ("stage") of a component to a launch, and
/// creates the views of the phases' memory.
class StageConverter {
public:
  StageConverter(CommandContext &context, const DeviceMemory &memory)
      : context(context), memory(memory) {}

  /// Converts a forward pass to one launch per phase; false if it has none.
  bool convert(PropagateOp op);

  /// Emits the code of an item of phase number `stage`.
  using EmitStage =
      function_ref<void(StageEmission &, unsigned stage, Value item)>;
  /// Creates a launch for each of `stages`.
  void addStages(const RowOperands &operands, const StagedCommand &command,
                 ArrayRef<KernelStage> stages, EmitStage emit);
  /// Creates the launches of a component's pass; `operands` has the command's
  /// matrices.
  void addStages(StagedKernelInterface component, const StagedCommand &command,
                 int64_t memo, RowOperands operands);
  /// Creates a view of floats of the arena; null for size 0.
  Value createFloats(int64_t place, int64_t size);
  /// Creates a view of the terms that self-repair adds; null without any.
  Value createRepairs(Operation *component);
  /// Adds the random number generator's state and the command's draw number.
  void addDraws(RowOperands &operands, int64_t number);
  void addIndexes(RowOperands &operands, ArrayRef<SmallVector<int64_t>> lists);
  /// Offset of the random number generator's state, if there is one.
  std::optional<int64_t> getRandomPlace() const;
  const StatisticsLayout &getLayout() const {
    return memory.stages.getLayout();
  }
  int64_t getStatisticsPlace() const {
    return memory.scratchSize + memory.stages.getStatistics();
  }
  /// Offset of the memo that a forward pass stores.
  int64_t getMemo(Value memo) const {
    return memory.scratchSize + memory.stages.getMemo(memo);
  }

private:
  CommandContext &context;
  DeviceMemory memory;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_STAGECONVERTER_H
