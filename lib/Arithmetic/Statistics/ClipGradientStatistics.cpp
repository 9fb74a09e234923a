//===- ClipGradientStatistics.cpp - How often gradients are clipped -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentStatistics.h"
#include "Forward/Clipping.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// The scratch memory holds a flag whether the command is repaired, the
/// proportion, step and scale of the repair, and numbers of each row (spec:
/// components.md 6.25).
struct ClipGradientStatistics
    : public StatisticsKernelInterface::ExternalModel<ClipGradientStatistics,
                                                      ClipGradientOp> {
  enum Statistic { kClipped, kRows, kRepaired, kBackpropped };
  enum ScratchPlace { kIsRepaired, kProportion, kStep, kScale, kOfRows };

  static bool repairs(ClipGradientOp op) {
    return op.getSelfRepairScale().convertToFloat() != 0 &&
           op.getSelfRepairClippedProportionThreshold().convertToFloat() < 1;
  }

  SmallVector<int64_t> getStatisticSizes(Operation *) const {
    return {1, 1, 1, 1};
  }
  SmallVector<KernelStage>
  getStatisticsStages(Operation *op, const StagedCommand &command) const {
    auto clip = cast<ClipGradientOp>(op);
    if (!command.keepsStatistics || !command.hasInputDerivative ||
        clip.getClippingThreshold().isZero())
      return {};
    const KernelStage ofRows = {command.outputRows, int64_t(clip.getDim())},
                      ofAll = {1, command.outputRows};
    if (command.phase == StatisticsPhase::Before)
      return {ofRows, ofAll};
    if (command.phase == StatisticsPhase::After && repairs(clip))
      return {ofRows, ofAll, ofRows, ofAll, ofRows};
    return {};
  }
  int64_t getStatisticsScratchSize(Operation *,
                                   const StagedCommand &command) const {
    return kOfRows + 2 * command.outputRows;
  }
  void emitStatisticsStage(Operation *op, StageEmission &stage,
                           const StagedCommand &command, unsigned number,
                           Value item) const;

private:
  static void emitClipped(ClipGradientOp op, StageEmission &stage, Value row);
  static void decide(ClipGradientOp op, StageEmission &stage, int64_t rows);
  static void emitNorms(ClipGradientOp op, StageEmission &stage, int64_t rows,
                        Value row);
  static void emitStep(ClipGradientOp op, StageEmission &stage, int64_t rows);
  static void emitScale(StageEmission &stage, int64_t rows);
  static void emitRepaired(ClipGradientOp op, StageEmission &stage, Value row);
  static Value getExcess(ClipGradientOp op, StageEmission &stage, Value c);
  static Value getMoved(ClipGradientOp op, StageEmission &stage, Value c);
  static Value getRowsNorm(StageEmission &stage, int64_t dim,
                           function_ref<Value(Value)> element);
};

} // namespace

void ClipGradientStatistics::emitStatisticsStage(Operation *op,
                                                 StageEmission &stage,
                                                 const StagedCommand &command,
                                                 unsigned number,
                                                 Value item) const {
  auto clip = cast<ClipGradientOp>(op);
  const int64_t rows = command.outputRows, dim = clip.getDim();
  if (command.phase == StatisticsPhase::Before)
    return number == 0 ? emitClipped(clip, stage, item)
                       : decide(clip, stage, rows);
  stage.setRow(item);
  switch (number) {
  case 0:
    return emitNorms(clip, stage, rows, item);
  case 1:
    return emitStep(clip, stage, rows);
  case 2: {
    Value norm = getRowsNorm(stage, dim,
                             [&](Value c) { return getMoved(clip, stage, c); });
    return stage.forEach(1, [&](Value) {
      stage.storeScratch(norm, stage.shift(item, kOfRows + rows));
    });
  }
  case 3:
    return emitScale(stage, rows);
  default:
    return emitRepaired(clip, stage, item);
  }
}

/// Rows are counted only if clipping is by norm.
void ClipGradientStatistics::emitClipped(ClipGradientOp op,
                                         StageEmission &stage, Value row) {
  stage.setRow(row);
  Value norm = emitNorm(stage, op.getDim());
  stage.forEach(1, [&](Value) {
    storeIfGreater(stage, norm, op.getClippingThreshold().convertToFloat(),
                   stage.shift(row, kOfRows));
  });
}

/// Updates the counts and decides on self-repair.
void ClipGradientStatistics::decide(ClipGradientOp op, StageEmission &stage,
                                    int64_t rows) {
  Value numClipped = addRows(stage, rows, kOfRows);
  const bool byNorm = op.getNormBasedClipping();
  stage.forEach(1, [&](Value zero) {
    if (byNorm) {
      stage.addToStatistic(kClipped, numClipped, zero);
      stage.addToStatistic(kRows, stage.real(rows), zero);
    }
    stage.addToStatistic(kBackpropped, stage.real(1), zero);
    if (!repairs(op))
      return;
    Value all = stage.loadOwnStatistic(kRows, zero);
    Value clipped = stage.loadOwnStatistic(kClipped, zero);
    Value isCounted = stage.isBelow(stage.real(0), all);
    Value proportion =
        stage.divide(clipped, stage.select(isCounted, all, stage.real(1)));
    Value threshold = stage.real(
        op.getSelfRepairClippedProportionThreshold().convertToFloat());
    Value isSkipped =
        stage.isBelow(stage.number(kRepairProbability), stage.draw(zero));
    Value isRepaired = stage.both(stage.both(isCounted, stage.isNot(isSkipped)),
                                  stage.isBelow(threshold, proportion));
    storeFlag(stage, kIsRepaired, isRepaired);
    stage.storeScratch(stage.narrow(proportion), stage.index(kProportion));
    stage.addToStatistic(kRepaired, countIf(stage, isRepaired, 1), zero);
  });
}

Value ClipGradientStatistics::getRowsNorm(StageEmission &stage, int64_t dim,
                                          function_ref<Value(Value)> element) {
  return stage.sqrt(stage.sum(dim, [&](Value c) {
    Value x = element(c);
    return stage.multiply(x, x);
  }));
}

/// Returns how far an input element is outside of +-target.
Value ClipGradientStatistics::getExcess(ClipGradientOp op, StageEmission &stage,
                                        Value c) {
  Value x = stage.load(c);
  Value target = stage.number(op.getSelfRepairTarget().convertToFloat());
  Value zero = stage.number(0);
  Value above = stage.max(stage.subtract(x, target), zero);
  Value below = stage.max(
      stage.subtract(stage.multiply(x, stage.number(-1)), target), zero);
  return stage.subtract(above, below);
}

/// Returns the input derivative after the repair step, before scaling.
Value ClipGradientStatistics::getMoved(ClipGradientOp op, StageEmission &stage,
                                       Value c) {
  Value step = stage.loadScratch(stage.index(kStep));
  return stage.subtract(stage.loadStored(c),
                        stage.multiply(step, getExcess(op, stage, c)));
}

void ClipGradientStatistics::emitNorms(ClipGradientOp op, StageEmission &stage,
                                       int64_t rows, Value row) {
  const int64_t dim = op.getDim();
  Value before =
      getRowsNorm(stage, dim, [&](Value c) { return stage.loadStored(c); });
  Value excess =
      getRowsNorm(stage, dim, [&](Value c) { return getExcess(op, stage, c); });
  stage.forEach(1, [&](Value) {
    stage.storeScratch(before, stage.shift(row, kOfRows));
    stage.storeScratch(excess, stage.shift(row, kOfRows + rows));
  });
}

void ClipGradientStatistics::emitStep(ClipGradientOp op, StageEmission &stage,
                                      int64_t rows) {
  Value before = addRows(stage, rows, kOfRows);
  Value excess = addRows(stage, rows, kOfRows + rows);
  Value isRepaired = loadFlag(stage, kIsRepaired);
  stage.forEach(1, [&](Value) {
    Value isOver = stage.both(isRepaired, stage.isBelow(stage.real(0), excess));
    Value scale =
        stage.multiply(stage.widen(stage.loadScratch(stage.index(kProportion))),
                       stage.real(op.getSelfRepairScale().convertToFloat() /
                                  double(kRepairProbability)));
    Value step = stage.divide(stage.multiply(scale, before),
                              stage.select(isOver, excess, stage.real(1)));
    stage.storeScratch(stage.narrow(stage.select(isOver, step, stage.real(0))),
                       stage.index(kStep));
    storeFlag(stage, kIsRepaired, isOver);
  });
}

/// The scale restores the sum of the rows' norms.
void ClipGradientStatistics::emitScale(StageEmission &stage, int64_t rows) {
  Value before = addRows(stage, rows, kOfRows);
  Value after = addRows(stage, rows, kOfRows + rows);
  stage.forEach(1, [&](Value) {
    Value isThere = stage.isBelow(stage.real(0), after);
    Value ratio =
        stage.divide(before, stage.select(isThere, after, stage.real(1)));
    stage.storeScratch(
        stage.narrow(stage.select(isThere, ratio, stage.real(1))),
        stage.index(kScale));
  });
}

void ClipGradientStatistics::emitRepaired(ClipGradientOp op,
                                          StageEmission &stage, Value) {
  Value isRepaired = loadFlag(stage, kIsRepaired);
  Value scale = stage.loadScratch(stage.index(kScale));
  stage.forEach(op.getDim(), [&](Value c) {
    stage.ifTrue(isRepaired, [&] {
      stage.store(stage.multiply(scale, getMoved(op, stage, c)), c);
    });
  });
}

void mlir::nnet3::attachClipGradientStatistics(MLIRContext &context) {
  ClipGradientOp::attachInterface<ClipGradientStatistics>(context);
}
