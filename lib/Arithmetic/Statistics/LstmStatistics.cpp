//===- LstmStatistics.cpp - Statistics and self-repair of LSTMs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of i, f, tanh(c_part), o and tanh(c), in this order (spec:
// components.md 6.15). The repairs are a row of amounts for each of these, and
// their numbers of repaired columns. They are constant during a run, as
// commands add their statistics to the gradient.
//
//===----------------------------------------------------------------------===//

#include "ComponentStatistics.h"
#include "Forward/LstmCell.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"

using namespace mlir;
using namespace mlir::nnet3;

static constexpr int64_t kNumKinds = 5;

namespace {

enum Statistic { kValueSum, kDerivSum, kSelfRepairTotal, kCount };

struct LstmStatistics
    : public StatisticsKernelInterface::ExternalModel<LstmStatistics,
                                                      LstmNonlinearityOp> {
  static int64_t getDim(Operation *op) {
    return cast<LstmNonlinearityOp>(op).getCellDim();
  }
  static ColumnSums getSums(Operation *op, const StagedCommand &command) {
    return ColumnSums(command.outputRows, getDim(op), 2 * kNumKinds,
                      /*place=*/0);
  }

  SmallVector<int64_t> getStatisticSizes(Operation *op) const {
    return {kNumKinds * getDim(op), kNumKinds * getDim(op), kNumKinds, 1};
  }
  int64_t getNumRepairs(Operation *op) const {
    return kNumKinds * (getDim(op) + 1);
  }
  int64_t getStatisticsScratchSize(Operation *op,
                                   const StagedCommand &command) const {
    return getSums(op, command).getScratchSize();
  }
  SmallVector<KernelStage>
  getStatisticsStages(Operation *op, const StagedCommand &command) const {
    if (command.phase == StatisticsPhase::Begin)
      return {{1, getDim(op)}};
    if (command.phase == StatisticsPhase::Before && command.keepsStatistics)
      return getSums(op, command).getStages();
    return {};
  }
  void emitStatisticsStage(Operation *op, StageEmission &stage,
                           const StagedCommand &command, unsigned number,
                           Value item) const {
    auto lstm = cast<LstmNonlinearityOp>(op);
    if (command.phase == StatisticsPhase::Begin)
      emitRepairs(lstm, stage);
    else
      emitSums(lstm, stage, command, number, item);
  }

private:
  static void emitRepairs(LstmNonlinearityOp op, StageEmission &stage);
  static void emitSums(LstmNonlinearityOp op, StageEmission &stage,
                       const StagedCommand &command, unsigned number,
                       Value item);
};

} // namespace

/// Returns the thresholds, followed by the scales.
static SmallVector<float> getConfig(LstmNonlinearityOp op) {
  auto given = getTensorVector(op, "self_repair_config", 2 * kNumKinds);
  if (succeeded(given))
    return *given;
  return {0.05f, 0.05f, 0.2f, 0.05f, 0.2f, 1e-5f, 1e-5f, 1e-5f, 1e-5f, 1e-5f};
}

void LstmStatistics::emitRepairs(LstmNonlinearityOp op, StageEmission &stage) {
  const SmallVector<float> config = getConfig(op);
  const int64_t dim = op.getCellDim();
  Value count =
      stage.add(stage.loadOwnStatistic(kCount, stage.index(0)), stage.real(1));
  for (int64_t k = 0; k < kNumKinds; ++k) {
    Value least = stage.multiply(stage.real(config[k]), count);
    auto ifLow = [&](Value c, float amount) {
      Value slopes = stage.loadOwnStatistic(kDerivSum, stage.shift(c, k * dim));
      return stage.select(stage.isBelow(slopes, least), stage.number(amount),
                          stage.number(0));
    };
    Value numLow = stage.sum(dim, [&](Value c) { return ifLow(c, 1); });
    stage.forEach(dim, [&](Value c) {
      stage.storeRepair(ifLow(c, config[kNumKinds + k]),
                        stage.shift(c, k * dim));
    });
    stage.forEach(1, [&](Value) {
      stage.storeRepair(numLow, stage.index(kNumKinds * dim + k));
    });
  }
}

void LstmStatistics::emitSums(LstmNonlinearityOp op, StageEmission &stage,
                              const StagedCommand &command, unsigned number,
                              Value item) {
  const ColumnSums sums = getSums(op, command);
  const int64_t dim = op.getCellDim();
  sums.emit(
      stage, number, item,
      [&](Value, Value c) {
        LstmCell cell = LstmCell::load(stage, op, c);
        return SmallVector<Value>{cell.i,
                                  cell.f,
                                  cell.g,
                                  cell.o,
                                  cell.t,
                                  cell.slope(cell.i),
                                  cell.slope(cell.f),
                                  cell.tanhSlope(cell.g),
                                  cell.slope(cell.o),
                                  cell.tanhSlope(cell.t)};
      },
      [&](Value c, ValueRange sums) {
        for (int64_t k = 0; k < kNumKinds; ++k) {
          stage.addToStatistic(kValueSum, stage.widen(sums[k]),
                               stage.shift(c, k * dim));
          stage.addToStatistic(kDerivSum, stage.widen(sums[kNumKinds + k]),
                               stage.shift(c, k * dim));
        }
      });
  if (number + 1 < sums.getNumStages())
    return;
  Value isFirst = stage.isEqual(item, stage.index(0));
  Value rows = stage.real(command.outputRows);
  stage.forEach(kNumKinds, [&](Value k) {
    stage.ifTrue(isFirst, [&] {
      Value numLow =
          stage.widen(stage.loadRepair(stage.shift(k, kNumKinds * dim)));
      stage.addToStatistic(kSelfRepairTotal, stage.multiply(numLow, rows), k);
    });
  });
  stage.forEach(1, [&](Value zero) {
    stage.ifTrue(isFirst, [&] { stage.addToStatistic(kCount, rows, zero); });
  });
}

void mlir::nnet3::attachLstmStatistics(MLIRContext &context) {
  LstmNonlinearityOp::attachInterface<LstmStatistics>(context);
}
