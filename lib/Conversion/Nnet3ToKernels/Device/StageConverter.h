//===- StageConverter.h - Components of several stages ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_STAGECONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_STAGECONVERTER_H

#include "CommandContext.h"
#include "DeviceMemory.h"

#include "nnet3/Arithmetic/StageEmission.h"

namespace mlir::nnet3 {

/// Makes launches of a device of what components do in several stages, and
/// views of the memory of the stages.
class StageConverter {
public:
  StageConverter(CommandContext &context, const DeviceMemory &memory)
      : context(context), memory(memory) {}

  /// Whether the forward pass has stages, which become launches.
  bool convert(PropagateOp op);

  /// Creates the code of an item of stage number `stage`.
  using EmitStage =
      function_ref<void(StageEmission &, unsigned stage, Value item)>;
  /// Creates a launch for each of `stages`.
  void addStages(const RowOperands &operands, const StagedCommand &command,
                 ArrayRef<KernelStage> stages, EmitStage emit);
  /// All stages of a component's pass; `operands` has what commands have.
  void addStages(StagedKernelInterface component, const StagedCommand &command,
                 int64_t memo, RowOperands operands);
  /// Floats of the arena; null for none.
  Value createFloats(int64_t place, int64_t size);
  /// What self-repair adds, if anything.
  Value createRepairs(Operation *component);
  /// Adds the state of random numbers, and the number of the command.
  void addDraws(RowOperands &operands, int64_t number);
  void addIndexes(RowOperands &operands, ArrayRef<SmallVector<int64_t>> lists);
  /// Place of the state of random numbers; none if there are none.
  std::optional<int64_t> getRandomPlace() const;
  const StatisticsLayout &getLayout() const {
    return memory.stages.getLayout();
  }
  int64_t getStatisticsPlace() const {
    return memory.scratchSize + memory.stages.getStatistics();
  }
  /// Where the memo is that a forward pass leaves.
  int64_t getMemo(Value memo) const {
    return memory.scratchSize + memory.stages.getMemo(memo);
  }

private:
  CommandContext &context;
  DeviceMemory memory;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_STAGECONVERTER_H
