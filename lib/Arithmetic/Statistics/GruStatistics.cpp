//===- GruStatistics.cpp - Statistics and self-repair of GRUs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of the candidate h, the first block of the output (spec:
// components.md 6.23). Self-repair subtracts a repair times h from the
// derivative of the tanh's input.
//
//===----------------------------------------------------------------------===//

#include "ComponentStatistics.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

enum Statistic { kValueSum, kDerivSum, kSelfRepairTotal, kCount };

template <typename OpTy>
struct GruStatistics
    : public StatisticsKernelInterface::ExternalModel<GruStatistics<OpTy>,
                                                      OpTy> {
  static int64_t getCell(Operation *op) { return cast<OpTy>(op).getCellDim(); }
  static ColumnSums getSums(Operation *op, const StagedCommand &command) {
    return ColumnSums(command.outputRows, getCell(op), 2, /*place=*/1);
  }

  SmallVector<int64_t> getStatisticSizes(Operation *op) const {
    return {getCell(op), getCell(op), 1, 1};
  }
  int64_t getNumRepairs(Operation *op) const { return getCell(op); }
  int64_t getStatisticsScratchSize(Operation *op,
                                   const StagedCommand &command) const {
    return 1 + getSums(op, command).getScratchSize();
  }
  SmallVector<KernelStage>
  getStatisticsStages(Operation *op, const StagedCommand &command) const {
    if (command.phase == StatisticsPhase::Begin)
      return {{1, getCell(op)}};
    if (command.phase != StatisticsPhase::Before || !command.keepsStatistics)
      return {};
    SmallVector<KernelStage> stages = {{1, 1}};
    llvm::append_range(stages, getSums(op, command).getStages());
    stages.push_back({1, getCell(op)});
    return stages;
  }
  void emitStatisticsStage(Operation *op, StageEmission &stage,
                           const StagedCommand &command, unsigned number,
                           Value item) const {
    if (command.phase == StatisticsPhase::Begin)
      return stage.forEach(
          getCell(op), [&](Value c) { stage.storeRepair(stage.number(0), c); });
    const ColumnSums sums = getSums(op, command);
    if (number == 0)
      return decide(stage, command);
    if (number <= sums.getNumStages())
      return emitSums(stage, sums, number - 1, item);
    emitRepairs(cast<OpTy>(op), stage);
  }

private:
  /// Keeps half of the runs; all commands of a run decide equally.
  static void decide(StageEmission &stage, const StagedCommand &command) {
    stage.forEach(1, [&](Value zero) {
      Value isKept = stage.isNot(
          stage.isBelow(stage.draw(zero), stage.number(kRepairProbability)));
      storeFlag(stage, 0, isKept);
      stage.addToStatistic(kCount, countIf(stage, isKept, command.outputRows),
                           zero);
    });
  }
  static void emitSums(StageEmission &stage, const ColumnSums &sums,
                       unsigned number, Value item) {
    sums.emit(
        stage, number, item,
        [&](Value, Value c) -> SmallVector<Value> {
          Value h = stage.loadOutput(c);
          return {h, stage.subtract(stage.number(1), stage.multiply(h, h))};
        },
        [&](Value c, ValueRange sums) {
          stage.addToStatistic(kValueSum, stage.widen(sums[0]), c);
          stage.addToStatistic(kDerivSum, stage.widen(sums[1]), c);
        },
        /*condition=*/loadFlag(stage, 0));
  }
  /// Computes repairs from the statistics that include this command.
  static void emitRepairs(OpTy op, StageEmission &stage) {
    const float scale = op.getSelfRepairScale().convertToFloat();
    const float threshold = op.getSelfRepairThreshold().convertToFloat();
    const int64_t cell = op.getCellDim();
    Value isKept = loadFlag(stage, 0);
    Value least = stage.multiply(stage.real(threshold),
                                 stage.loadStatistic(kCount, stage.index(0)));
    auto isRepaired = [&](Value c) {
      if (scale == 0)
        return stage.isNot(stage.isEqual(c, c));
      return stage.both(
          isKept, stage.isBelow(stage.loadStatistic(kDerivSum, c), least));
    };
    Value numRepaired = stage.sum(cell, [&](Value c) {
      return stage.select(isRepaired(c), stage.number(1), stage.number(0));
    });
    stage.forEach(cell, [&](Value c) {
      stage.storeRepair(stage.select(isRepaired(c),
                                     stage.number(scale / kRepairProbability),
                                     stage.number(0)),
                        c);
    });
    stage.forEach(1, [&](Value zero) {
      stage.addToStatistic(kSelfRepairTotal, stage.widen(numRepaired), zero);
    });
  }
};

} // namespace

void mlir::nnet3::attachGruStatistics(MLIRContext &context) {
  GruNonlinearityOp::attachInterface<GruStatistics<GruNonlinearityOp>>(context);
  OutputGruNonlinearityOp::attachInterface<
      GruStatistics<OutputGruNonlinearityOp>>(context);
}
