//===- BatchNormStatistics.cpp - Moments of batches -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.7. The forward pass stores the mean, the scale and the
// variance of each column in the memo (BatchNormStages.cpp).
//
//===----------------------------------------------------------------------===//

#include "ComponentStatistics.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

enum Statistic { kSum, kSumsq, kCount };

struct BatchNormStatistics
    : public StatisticsKernelInterface::ExternalModel<BatchNormStatistics,
                                                      BatchNormOp> {
  static int64_t getWidth(BatchNormOp op) {
    return op.getBlockDim().value_or(op.getDim());
  }
  SmallVector<int64_t> getStatisticSizes(Operation *op) const {
    auto component = cast<BatchNormOp>(op);
    if (component.getTestMode())
      return {};
    return {getWidth(component), getWidth(component), 1};
  }
  SmallVector<KernelStage>
  getStatisticsStages(Operation *op, const StagedCommand &command) const {
    auto component = cast<BatchNormOp>(op);
    if (command.phase != StatisticsPhase::Forward || !command.keepsStatistics ||
        component.getTestMode())
      return {};
    return {{1, getWidth(component)}};
  }
  void emitStatisticsStage(Operation *op, StageEmission &stage,
                           const StagedCommand &command, unsigned,
                           Value) const {
    auto component = cast<BatchNormOp>(op);
    const int64_t width = getWidth(component);
    Value count = stage.real(command.outputRows * (component.getDim() / width));
    stage.forEach(width, [&](Value c) {
      Value mean = stage.widen(stage.loadMemo(c));
      Value variance = stage.widen(stage.loadMemo(stage.shift(c, 2 * width)));
      Value meanSquare = stage.add(variance, stage.multiply(mean, mean));
      stage.addToStatistic(kSum, stage.multiply(count, mean), c);
      stage.addToStatistic(kSumsq, stage.multiply(count, meanSquare), c);
    });
    stage.forEach(
        1, [&](Value zero) { stage.addToStatistic(kCount, count, zero); });
  }
};

} // namespace

void mlir::nnet3::attachBatchNormStatistics(MLIRContext &context) {
  BatchNormOp::attachInterface<BatchNormStatistics>(context);
}
