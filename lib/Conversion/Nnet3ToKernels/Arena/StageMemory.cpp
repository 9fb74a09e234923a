//===- StageMemory.cpp - Memory of grid-wide phases -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageMemory.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

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

StagedCommand mlir::nnet3::getStagedCommand(PropagateOp op, bool isShared) {
  StagedCommand command;
  command.isShared = isShared;
  command.inputRows = op.getInput() ? numRows(op.getInput()) : 0;
  command.outputRows = numRows(op.getOutput());
  command.precomputed = op.getPrecomputedAttr();
  return command;
}

StagedCommand mlir::nnet3::getStagedCommand(BackpropOp op, bool isShared) {
  StagedCommand command;
  command.isShared = isShared;
  command.isBackward = true;
  command.outputRows = numRows(op.getOutputDeriv());
  for (Value ofInput : {op.getInputDeriv(), op.getInputValue()})
    if (ofInput)
      command.inputRows = numRows(ofInput);
  command.precomputed = op.getPrecomputedAttr();
  command.hasInputDerivative = bool(op.getInputDeriv());
  return command;
}

StagedCommand mlir::nnet3::getStatisticsCommand(StoreStatsOp op) {
  StagedCommand command;
  command.phase = StatisticsPhase::Forward;
  command.inputRows = op.getInput() ? numRows(op.getInput()) : 0;
  command.outputRows = numRows(op.getOutput());
  command.keepsStatistics = true;
  return command;
}

StagedCommand mlir::nnet3::getStatisticsCommand(BackpropOp op,
                                                Operation *component,
                                                StatisticsPhase phase) {
  StagedCommand command = getStagedCommand(op, /*isShared=*/false);
  command.phase = phase;
  command.keepsStatistics = op.getUpdate() || !addsToGradient(component);
  return command;
}

bool mlir::nnet3::addsToGradient(Operation *component) {
  auto whole = dyn_cast<ComponentOpInterface>(component->getParentOp());
  return has((whole ? whole : cast<ComponentOpInterface>(component))
                 .getComponentProperties(),
             ComponentProperties::Updatable);
}

/// Reserves kept memory; starts at a cache line of the device.
int64_t StageMemory::keep(int64_t size) {
  const int64_t place = keptSize;
  keptSize = llvm::alignTo(place + size, 64);
  return place;
}

/// Upper bound of the floats that the reductions of one command need.
static int64_t getSumsSize(BackpropOp op, ComponentTable &components) {
  Value deriv = op.getOutputDeriv();
  int64_t columns = numCols(deriv);
  unsigned numSums = 1;
  Operation *component = components.find(op.getComponent());
  if (auto row = dyn_cast<BackwardKernelInterface>(component)) {
    numSums = std::max<unsigned>(numSums, row.getSums().size());
    columns = std::max(columns, row.getSumColumns() * row.getSumBlocks());
  }
  return ColumnSums::getMaxScratchSize(numRows(deriv) * columns, columns,
                                       numSums);
}

void StageMemory::needScratch(int64_t size) {
  scratchSize = std::max<int64_t>(scratchSize, llvm::alignTo(size, 64));
}

StageMemory::StageMemory(ComputationOp computation, bool isShared)
    : isShared(isShared), layout(computation) {
  ComponentTable components(computation);
  addMatrices(computation, components);
  if (layout.getSize() > 0)
    addStatistics(computation, components);
}

void StageMemory::addStatistics(ComputationOp computation,
                                ComponentTable &components) {
  statistics = keep(layout.getSize());
  if (!random)
    random = keep(4);
  for (Operation &op : computation.getBody().front()) {
    if (!isa<StoreStatsOp, BackpropOp>(op))
      continue;
    Operation *component =
        components.find(op.getAttrOfType<SymbolRefAttr>("component"));
    auto keeper = dyn_cast<StatisticsKernelInterface>(component);
    if (!keeper)
      continue;
    if (auto store = dyn_cast<StoreStatsOp>(op)) {
      needScratch(keeper.getStatisticsScratchSize(getStatisticsCommand(store)));
      continue;
    }
    needScratch(keeper.getStatisticsScratchSize(getStatisticsCommand(
        cast<BackpropOp>(op), component, StatisticsPhase::Before)));
    if (keeper.getNumRepairs() > 0 && !repairs.count(component))
      repairs[component] = keep(keeper.getNumRepairs());
  }
}

/// A memo that no command reads is scratch memory.
void StageMemory::addMatrices(ComputationOp computation,
                              ComponentTable &components) {
  for (Operation &op : computation.getBody().front()) {
    if (auto propagate = dyn_cast<PropagateOp>(op)) {
      StagedKernelInterface staged = getStaged(propagate, components);
      if (!staged)
        continue;
      const StagedCommand command = getStagedCommand(propagate, isShared);
      const int64_t memoSize = staged.getMemoSize(command);
      const int64_t scratch = staged.getStageScratchSize(command);
      if (propagate.getMemo())
        memos[propagate.getMemo()] = keep(memoSize);
      needScratch(propagate.getMemo() ? scratch : scratch + memoSize);
      if (staged.drawsNumbers() && !random)
        random = keep(4);
    } else if (auto backprop = dyn_cast<BackpropOp>(op)) {
      if (StagedKernelInterface staged = getStaged(backprop, components))
        needScratch(
            staged.getStageScratchSize(getStagedCommand(backprop, isShared)));
      else if (backprop.getUpdate())
        needScratch(getSumsSize(backprop, components));
      if (auto rows = dyn_cast<BackwardKernelInterface>(
              components.find(backprop.getComponent()).getOperation()))
        needScratch(numRows(backprop.getOutputDeriv()) *
                    rows.getFactorColumns());
    }
  }
}
