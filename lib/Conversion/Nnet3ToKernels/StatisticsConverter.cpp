//===- StatisticsConverter.cpp - Statistics on a device -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingConverter.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// What random numbers of a command are for (runtime/cpu/math/Random.h).
enum class Purpose : int64_t { Propagate, StoreStats, Backprop, Update };

static int64_t getDraw(Purpose purpose, int64_t number) {
  return int64_t(purpose) << 30 | number;
}

/// Components with parameters draw the same in all commands of a run.
static int64_t getDraw(BackpropOp op, Operation *component) {
  if (has(cast<ComponentOpInterface>(component).getComponentProperties(),
          ComponentProperties::Updatable))
    return getDraw(Purpose::Update, 0);
  return getDraw(Purpose::Backprop, *op.getDraw());
}

/// The parts of a component have other seeds than the whole.
static uint64_t getSeedOffset(Operation *component) {
  if (!isa<CompositeOp>(component->getParentOp()))
    return 0;
  const uint64_t part =
      std::distance(component->getBlock()->begin(), component->getIterator());
  return 0x9E3779B97F4A7C15u * (part + 1);
}

ArrayAttr TrainingConverter::getStatistics() const {
  return getLayout().get(getStatisticsPlace());
}

/// Makes the calls of all stages; `kernel` and `places` have what they have in
/// common, places from that of what is written on.
void TrainingConverter::addStatistics(Operation *op, StageKernel kernel,
                                      int64_t draw, int64_t memo,
                                      ArrayRef<int64_t> places) {
  StatisticsKernelInterface keeper = kernel.statistics;
  Operation *component = keeper;
  OperandShapes &operands = kernel.operands;
  operands.hasMemory = operands.draws = true;
  operands.seedOffset = getSeedOffset(component);
  int64_t begin = 0;
  for (int64_t size : keeper.getStatisticSizes()) {
    operands.statistics.push_back(begin);
    begin += size;
  }
  SmallVector<int64_t> all;
  // Peepholes, for what an LSTM computes again.
  if (auto backward = dyn_cast<BackwardKernelInterface>(component);
      backward && isa<BackpropOp>(op))
    operands.numVectors = backward.getNumBackwardVectors();
  for (unsigned i = 0; i < operands.numVectors; ++i)
    all.push_back(
        module.weights.getVector(cast<ComponentOpInterface>(component), i));
  for (const auto &table : keeper.getStatisticsTables(kernel.command)) {
    all.push_back(module.tables.add(table));
    ++operands.numTables;
  }
  const bool ofGradient = addsToGradient(component);
  auto getPlace = [&](bool ofGradient) {
    return getStatisticsPlace() + getLayout().getPlace(component, ofGradient);
  };
  all.append({memo, /*scratch*/ 0, *getRandomPlace(), draw, getPlace(false),
              getPlace(ofGradient)});
  if (auto repairs = getRepairs(component)) {
    operands.hasRepairs = true;
    all.push_back(*repairs);
  }
  llvm::append_range(all, places);
  auto stages = keeper.getStatisticsStages(kernel.command);
  for (auto [number, stage] : llvm::enumerate(stages)) {
    kernel.stage = number;
    kernel.shape = stage;
    if (stage.items > 0)
      launch("stage", kernel, all);
  }
}

void TrainingConverter::addStatistics(StoreStatsOp op) {
  Operation *component = components.find(op.getComponent());
  StageKernel kernel;
  kernel.statistics = dyn_cast<StatisticsKernelInterface>(component);
  if (!kernel.statistics)
    return;
  kernel.command = getStatisticsCommand(op);
  SmallVector<int64_t> places;
  if (Value input = op.getInput()) {
    kernel.operands.inputStride = getRowStride(input);
    places.push_back(arena.getOffset(input));
  }
  kernel.operands.outputStride = getRowStride(op.getOutput());
  places.push_back(arena.getOffset(op.getOutput()));
  addStatistics(op, kernel, getDraw(Purpose::StoreStats, *op.getDraw()),
                op.getMemo() ? getMemo(op.getMemo()) : 0, places);
}

void TrainingConverter::addStatistics(BackpropOp op, StatisticsPhase phase) {
  Operation *component = components.find(op.getComponent());
  StageKernel kernel;
  kernel.statistics = dyn_cast<StatisticsKernelInterface>(component);
  if (!kernel.statistics)
    return;
  kernel.command = getStatisticsCommand(op, component, phase);
  SmallVector<int64_t> places;
  addMatrices(op, kernel.operands, places);
  addStatistics(op, kernel, getDraw(op, component), /*memo=*/0, places);
}
