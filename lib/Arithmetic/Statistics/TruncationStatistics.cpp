//===- TruncationStatistics.cpp - How often derivatives are truncated -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentStatistics.h"
#include "Forward/Clipping.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Spec: components.md 6.16.
struct TruncationStatistics
    : public StatisticsKernelInterface::ExternalModel<TruncationStatistics,
                                                      BackpropTruncationOp> {
  enum Statistic { kClipped, kZeroed, kRows, kBoundaries };

  SmallVector<int64_t> getStatisticSizes(Operation *) const {
    return {1, 1, 1, 1};
  }
  SmallVector<KernelStage>
  getStatisticsStages(Operation *op, const StagedCommand &command) const {
    if (command.phase != StatisticsPhase::Before || !command.keepsStatistics ||
        !command.hasInputDerivative)
      return {};
    const int64_t dim = cast<BackpropTruncationOp>(op).getDim();
    return {{command.outputRows, dim}, {1, command.outputRows}};
  }
  int64_t getStatisticsScratchSize(Operation *,
                                   const StagedCommand &command) const {
    return 2 * command.outputRows;
  }
  SmallVector<SmallVector<int64_t>>
  getStatisticsTables(Operation *op, const StagedCommand &command) const {
    return {getBoundaries(op, command.precomputed, command.outputRows)};
  }
  void emitStatisticsStage(Operation *op, StageEmission &stage,
                           const StagedCommand &command, unsigned number,
                           Value item) const {
    if (number == 0)
      emitRow(cast<BackpropTruncationOp>(op), stage, command.outputRows, item);
    else
      emitCounts(op, stage, command);
  }

private:
  /// Stores whether the row is clipped, and whether it is zeroed.
  static void emitRow(BackpropTruncationOp op, StageEmission &stage,
                      int64_t rows, Value row) {
    stage.setRow(row);
    Value norm = stage.multiply(emitNorm(stage, op.getDim()),
                                stage.number(op.getScale().convertToFloat()));
    Value isInside = stage.isEqual(stage.loadTable(0, row), stage.index(0));
    stage.forEach(1, [&](Value) {
      storeIfGreater(stage, norm, getThreshold(op.getClippingThreshold()), row);
      storeIfGreater(stage, stage.select(isInside, stage.number(0), norm),
                     getThreshold(op.getZeroingThreshold()),
                     stage.shift(row, rows));
    });
  }
  static void emitCounts(Operation *op, StageEmission &stage,
                         const StagedCommand &command) {
    const int64_t rows = command.outputRows;
    const int64_t numBoundaries =
        llvm::count(getBoundaries(op, command.precomputed, rows), 1);
    Value numClipped = addRows(stage, rows, 0);
    Value numZeroed = addRows(stage, rows, rows);
    stage.forEach(1, [&](Value zero) {
      stage.addToStatistic(kClipped, numClipped, zero);
      stage.addToStatistic(kZeroed, numZeroed, zero);
      stage.addToStatistic(kRows, stage.real(rows), zero);
      stage.addToStatistic(kBoundaries, stage.real(numBoundaries), zero);
    });
  }
};

} // namespace

void mlir::nnet3::attachTruncationStatistics(MLIRContext &context) {
  BackpropTruncationOp::attachInterface<TruncationStatistics>(context);
}
