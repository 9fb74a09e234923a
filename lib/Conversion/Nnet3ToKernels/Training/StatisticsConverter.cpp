//===- StatisticsConverter.cpp - Statistics on a device -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StatisticsConverter.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The purpose of a command's random numbers (runtime/cpu/math/Random.h).
enum class Purpose : int64_t { Propagate, StoreStats, Backprop, Update };

static int64_t getDraw(Purpose purpose, int64_t number) {
  return int64_t(purpose) << 30 | number;
}

/// Components with parameters draw the same numbers in all backprop commands.
static int64_t getDraw(Operation *op, Operation *component) {
  if (auto store = dyn_cast<StoreStatsOp>(op))
    return getDraw(Purpose::StoreStats, *store.getDraw());
  if (has(cast<ComponentOpInterface>(component).getComponentProperties(),
          ComponentProperties::Updatable))
    return getDraw(Purpose::Update, 0);
  return getDraw(Purpose::Backprop, *cast<BackpropOp>(op).getDraw());
}

/// Parts of a component have other seeds than the component itself.
static uint64_t getSeedOffset(Operation *component) {
  std::optional<int64_t> part =
      getPartNumber(cast<ComponentOpInterface>(component));
  return part ? 0x9E3779B97F4A7C15u * (*part + 1) : 0;
}

void StatisticsConverter::add(Operation *op, StatisticsKernelInterface keeper,
                              StagedCommand command, Value memo,
                              RowOperands operands) {
  Operation *model = keeper;
  ComponentOpInterface component = cast<ComponentOpInterface>(model);
  const bool isForward = isa<StoreStatsOp>(op);
  command.seedOffset = getSeedOffset(component);
  int64_t size = 0;
  for (int64_t count : keeper.getStatisticSizes()) {
    command.statistics.push_back(size);
    size += count;
  }
  // Peephole weights, with which an LSTM recomputes its gates.
  if (auto backward = dyn_cast<BackwardKernelInterface>(model);
      backward && !isForward)
    operands.vectors = builder.createVectors(component, backward);
  stages.addIndexes(operands, keeper.getStatisticsTables(command));
  if (memo)
    operands.memo = stages.createFloats(
        stages.getMemo(memo),
        cast<StagedKernelInterface>(model).getMemoSize(command));
  operands.scratch =
      stages.createFloats(0, keeper.getStatisticsScratchSize(command));
  stages.addDraws(operands, getDraw(op, component));
  auto getStatistics = [&](bool ofGradient) {
    return stages.createFloats(
        stages.getStatisticsPlace() +
            stages.getLayout().getPlace(component, ofGradient),
        2 * size);
  };
  operands.own = getStatistics(false);
  operands.kept = getStatistics(addsToGradient(component));
  operands.repairs = stages.createRepairs(component);
  stages.addStages(operands, command, keeper.getStatisticsStages(command),
                   [&](StageEmission &stage, unsigned number, Value item) {
                     keeper.emitStatisticsStage(stage, command, number, item);
                   });
}

void StatisticsConverter::add(StoreStatsOp op) {
  auto keeper = dyn_cast<StatisticsKernelInterface>(
      context.components.find(op.getComponent()).getOperation());
  if (!keeper)
    return;
  RowOperands operands;
  if (Value input = op.getInput())
    operands.input = context.createMatrix(input);
  operands.output = context.createMatrix(op.getOutput());
  add(op, keeper, getStatisticsCommand(op), op.getMemo(), operands);
}

void StatisticsConverter::add(BackpropOp op, StatisticsPhase phase) {
  Operation *component = context.components.find(op.getComponent());
  if (auto keeper = dyn_cast<StatisticsKernelInterface>(component))
    add(op, keeper, getStatisticsCommand(op, component, phase),
        /*memo=*/Value(), builder.createMatrices(op));
}

void StatisticsConverter::addBefore(BackpropOp op) {
  if (begun.insert(context.components.find(op.getComponent()).getOperation())
          .second)
    add(op, StatisticsPhase::Begin);
  add(op, StatisticsPhase::Before);
}
