//===- StageMemory.cpp - What stages keep between them --------------------===//

#include "StageMemory.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/BackwardInterface.h"
#include "nnet3/Fusion/ColumnSums.h"

using namespace mlir;
using namespace mlir::nnet3;

template <typename OpTy>
static StagedKernelInterface find(OpTy op, ComponentTable &components) {
  auto staged = dyn_cast<StagedKernelInterface>(
      components.find(op.getComponent()).getOperation());
  return staged && staged.hasStages(isa<BackpropOp>(op))
             ? staged
             : StagedKernelInterface();
}

StagedKernelInterface mlir::nnet3::getStaged(PropagateOp op,
                                             ComponentTable &components) {
  return find(op, components);
}

StagedKernelInterface mlir::nnet3::getStaged(BackpropOp op,
                                             ComponentTable &components) {
  return find(op, components);
}

StagedCommand mlir::nnet3::getStagedCommand(PropagateOp op) {
  StagedCommand command;
  command.inputRows = op.getInput() ? numRows(op.getInput()) : 0;
  command.outputRows = numRows(op.getOutput());
  command.precomputed = op.getPrecomputedAttr();
  return command;
}

StagedCommand mlir::nnet3::getStagedCommand(BackpropOp op, bool updates) {
  StagedCommand command;
  command.isBackward = true;
  command.outputRows = numRows(op.getOutputDeriv());
  for (Value ofInput : {op.getInputDeriv(), op.getInputValue()})
    if (ofInput)
      command.inputRows = numRows(ofInput);
  command.precomputed = op.getPrecomputedAttr();
  command.hasInputDerivative = bool(op.getInputDeriv());
  command.updates = updates;
  return command;
}

/// A place that begins a new line of the device's cache.
int64_t StageMemory::keep(int64_t size) {
  const int64_t place = keptSize;
  keptSize = llvm::alignTo(place + size, 64);
  return place;
}

/// Floats that sums over the rows of one command need at most.
static int64_t getSumsSize(BackpropOp op, ComponentTable &components) {
  Value deriv = op.getOutputDeriv();
  int64_t columns = numCols(deriv);
  unsigned numSums = 1;
  Operation *component = components.find(op.getComponent());
  if (auto row = dyn_cast<BackwardKernelInterface>(component)) {
    numSums = std::max<unsigned>(numSums, row.getSums().size());
    for (unsigned i = 0; i < row.getSums().size(); ++i)
      columns = std::max(columns, row.getSumColumns(i) * row.getSumBlocks(i));
  }
  return ColumnSums::getMaxScratchSize(numRows(deriv) * columns, columns,
                                       numSums);
}

/// A memo that nobody wants is scratch memory.
StageMemory::StageMemory(ComputationOp computation) {
  ComponentTable components(computation);
  auto needScratch = [&](int64_t size) {
    scratchSize = std::max<int64_t>(scratchSize, llvm::alignTo(size, 64));
  };
  for (Operation &op : computation.getBody().front()) {
    if (auto propagate = dyn_cast<PropagateOp>(op)) {
      StagedKernelInterface staged = getStaged(propagate, components);
      if (!staged)
        continue;
      const StagedCommand command = getStagedCommand(propagate);
      const int64_t memoSize = staged.getMemoSize(command);
      const int64_t scratch = staged.getStageScratchSize(command);
      if (propagate.getMemo())
        memos[propagate.getMemo()] = keep(memoSize);
      needScratch(propagate.getMemo() ? scratch : scratch + memoSize);
      if (staged.drawsNumbers() && !random)
        random = keep(4);
    } else if (auto backprop = dyn_cast<BackpropOp>(op)) {
      if (StagedKernelInterface staged = getStaged(backprop, components))
        needScratch(staged.getStageScratchSize(
            getStagedCommand(backprop, backprop.getUpdate())));
      else if (backprop.getUpdate())
        needScratch(getSumsSize(backprop, components));
    }
  }
}
