//===- NonlinearDecisions.cpp - Sampling of nonlinearities ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NonlinearDecisions.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<KernelStage> Nonlinear::getStages() const {
  const bool isForward = command.phase == StatisticsPhase::Forward;
  if (!command.keepsStatistics || (isForward && !kind.keepsValues) ||
      (!isForward && kind.needsInputDerivative && !command.hasInputDerivative))
    return {};
  switch (command.phase) {
  case StatisticsPhase::None:
  case StatisticsPhase::Begin:
    return {};
  case StatisticsPhase::Forward:
  case StatisticsPhase::Before: {
    SmallVector<KernelStage> stages = {{1, isForward ? 1 : blockDim}};
    llvm::append_range(stages, sums.getStages());
    return stages;
  }
  case StatisticsPhase::After:
    if (!repairs())
      return {};
    return {{rows, dim}};
  }
  llvm_unreachable("unknown phase");
}

/// Keeps half of the commands if there are statistics of derivatives, and
/// always the first one.
void Nonlinear::decideForward(StageEmission &stage) const {
  stage.forEach(1, [&](Value zero) {
    Value isKept = stage.isEqual(zero, zero);
    if (kind.keepsDerivs)
      isKept = stage.either(
          stage.isNumber(stage.loadStatistic(kCount, zero), stage.real(0)),
          stage.isNot(stage.isEqual(stage.drawInteger(stage.index(0), 1),
                                    stage.index(0))));
    storeFlag(stage, kIsKept, isKept);
    stage.addToStatistic(kCount, countIf(stage, isKept, rows), zero);
  });
}

/// Returns the amount of self-repair of a column of a block.
Value Nonlinear::getAmount(StageEmission &stage, Value column) const {
  const int64_t blocks = dim / blockDim;
  Value sum = stage.real(0);
  for (int64_t block = 0; block < blocks; ++block)
    sum = stage.add(sum, stage.loadOwnStatistic(
                             kDerivSum, stage.shift(column, block * blockDim)));
  Value count = stage.multiply(stage.loadOwnStatistic(kCount, stage.index(0)),
                               stage.real(blocks));
  Value least = stage.multiply(stage.real(lower), count);
  Value isLow = stage.isBelow(sum, least);
  Value amount = stage.number(repairScale / kRepairProbability),
        none = stage.number(0);
  if (!kind.isRelu)
    return stage.select(isLow, amount, none);
  Value most = stage.multiply(stage.real(upper), count);
  Value isHigh = stage.isBelow(most, sum);
  return stage.select(
      stage.either(isLow, stage.isNumber(sum, least)), amount,
      stage.select(isHigh, stage.number(-repairScale / kRepairProbability),
                   none));
}

/// Keeps three quarters of the commands and repairs half of them. Rectified
/// linear units count only columns of commands that are repaired.
void Nonlinear::decideBackward(StageEmission &stage) const {
  Value isDue;
  if (repairs()) {
    Value probability = stage.number(kRepairProbability);
    Value count = stage.loadOwnStatistic(kCount, stage.index(0));
    isDue = stage.both(
        stage.isNot(stage.isNumber(count, stage.real(0))),
        stage.isBelow(stage.draw(stage.index(kRepairDraw)), probability));
    stage.forEach(blockDim, [&](Value c) {
      stage.storeScratch(
          stage.select(isDue, getAmount(stage, c), stage.number(0)),
          stage.shift(c, kAmounts));
    });
  }
  Value numRepaired;
  if (isDue)
    numRepaired = stage.sum(blockDim, [&](Value c) {
      Value amount = stage.loadScratch(stage.shift(c, kAmounts));
      return stage.select(stage.isNumber(amount, stage.number(0)),
                          stage.number(0), stage.number(1));
    });
  stage.forEach(1, [&](Value zero) {
    Value isKept = stage.either(
        stage.isNumber(stage.loadStatistic(kOderivCount, zero), stage.real(0)),
        stage.isNot(stage.isEqual(stage.drawInteger(stage.index(kStatsDraw), 3),
                                  stage.index(0))));
    storeFlag(stage, kIsKept, isKept);
    stage.addToStatistic(kOderivCount, countIf(stage, isKept, rows), zero);
    if (kind.keepsDerivs && !kind.isRelu)
      stage.addToStatistic(kNumProcessed, stage.real(blockDim), zero);
    if (!isDue)
      return;
    if (kind.isRelu)
      stage.addToStatistic(kNumProcessed, countIf(stage, isDue, blockDim),
                           zero);
    stage.addToStatistic(kNumRepaired, stage.widen(numRepaired), zero);
    storeFlag(stage, kIsRepaired, stage.isBelow(stage.number(0), numRepaired));
  });
}
