//===- StageMemory.h - What stages keep between them ------------*- C++ -*-===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_STAGEMEMORY_H
#define NNET3_CONVERSION_NNET3TOKERNELS_STAGEMEMORY_H

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Fusion/StagedInterface.h"

#include <optional>

namespace mlir::nnet3 {

/// The component of a command, if its pass takes stages there; else null.
StagedKernelInterface getStaged(PropagateOp op, ComponentTable &components);
StagedKernelInterface getStaged(BackpropOp op, ComponentTable &components);

/// What a component is told of a command.
StagedCommand getStagedCommand(PropagateOp op);
StagedCommand getStagedCommand(BackpropOp op, bool updates);

/// Memory that the components of several stages of a computation need: scratch
/// memory for one command after the other, and what is kept: memos, and the
/// state of random numbers. Numbers count floats.
class StageMemory {
public:
  explicit StageMemory(ComputationOp computation);

  int64_t getScratchSize() const { return scratchSize; }
  int64_t getKeptSize() const { return keptSize; }
  /// Places in what is kept.
  int64_t getMemo(Value memo) const { return memos.lookup(memo); }
  std::optional<int64_t> getRandom() const { return random; }

private:
  int64_t keep(int64_t size);

  int64_t scratchSize = 0, keptSize = 0;
  DenseMap<Value, int64_t> memos;
  std::optional<int64_t> random;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_STAGEMEMORY_H
