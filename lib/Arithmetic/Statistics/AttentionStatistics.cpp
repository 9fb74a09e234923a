//===- AttentionStatistics.cpp - Statistics of attention weights ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.28. Accumulates the weights and their entropy. The
// scratch memory holds a flag whether the command is kept, the weights of each
// row, and each column's part of the entropy.
//
//===----------------------------------------------------------------------===//

#include "ComponentStatistics.h"
#include "Stages/AttentionHead.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

enum Statistic { kCount, kEntropy, kPosterior };

struct AttentionStatistics
    : public StatisticsKernelInterface::ExternalModel<AttentionStatistics,
                                                      RestrictedAttentionOp> {
  /// Offsets in the scratch memory.
  struct Scratch {
    Scratch(const AttentionHead &head)
        : columns(head.heads * head.context),
          entropy(weights + head.outputRows * columns),
          sums(head.outputRows, columns, 2, entropy + columns) {}

    int64_t weights = 1, columns, entropy;
    ColumnSums sums;
    int64_t getEnd() const { return entropy + columns + sums.getScratchSize(); }
  };

  SmallVector<int64_t> getStatisticSizes(Operation *op) const {
    auto attention = cast<RestrictedAttentionOp>(op);
    const int64_t heads = attention.getNumHeads();
    return {1, heads, heads * int64_t(attention.getContextDim())};
  }
  int64_t getStatisticsScratchSize(Operation *op,
                                   const StagedCommand &command) const {
    if (command.phase != StatisticsPhase::Forward)
      return 0;
    return Scratch(AttentionHead(op, command)).getEnd();
  }
  SmallVector<KernelStage>
  getStatisticsStages(Operation *op, const StagedCommand &command) const {
    if (command.phase != StatisticsPhase::Forward || !command.keepsStatistics)
      return {};
    const AttentionHead head(op, command);
    SmallVector<KernelStage> stages = {
        {1, 1}, {head.outputRows * head.heads, head.keyDim}};
    llvm::append_range(stages, Scratch(head).sums.getStages());
    stages.push_back({1, head.heads});
    return stages;
  }
  void emitStatisticsStage(Operation *op, StageEmission &stage,
                           const StagedCommand &command, unsigned number,
                           Value item) const {
    const AttentionHead head(op, command);
    const Scratch scratch(head);
    if (number == 0)
      decide(stage, head);
    else if (number == 1)
      emitWeights(stage, head, scratch, item);
    else if (number < 2 + scratch.sums.getNumStages())
      emitSums(stage, scratch, number - 2, item);
    else
      emitEntropy(stage, head, scratch);
  }

private:
  /// Keeps two thirds of the commands, and always the first one.
  static void decide(StageEmission &stage, const AttentionHead &head) {
    stage.forEach(1, [&](Value zero) {
      Value isKept = stage.either(
          stage.isNumber(stage.loadStatistic(kCount, zero), stage.real(0)),
          stage.isNot(stage.isEqual(stage.drawInteger(zero, 2), zero)));
      storeFlag(stage, 0, isKept);
      stage.addToStatistic(kCount, countIf(stage, isKept, head.outputRows),
                           zero);
    });
  }
  static void emitWeights(StageEmission &stage, const AttentionHead &head,
                          const Scratch &scratch, Value item) {
    SmallVector<Value> weights =
        emitAttentionWeights(head, stage, stage.quotient(item, head.heads),
                             stage.remainder(item, head.heads));
    stage.forEach(1, [&](Value) {
      for (auto [o, weight] : llvm::enumerate(weights))
        stage.storeScratch(
            weight, stage.shift(stage.at(item, head.context, stage.index(o)),
                                scratch.weights));
    });
  }
  static void emitSums(StageEmission &stage, const Scratch &scratch,
                       unsigned number, Value item) {
    scratch.sums.emit(
        stage, number, item,
        [&](Value row, Value column) -> SmallVector<Value> {
          Value weight = stage.loadScratch(stage.shift(
              stage.at(row, scratch.columns, column), scratch.weights));
          Value floored = stage.max(weight, stage.number(1e-20f));
          return {weight, stage.multiply(weight, stage.log(floored))};
        },
        [&](Value column, ValueRange sums) {
          stage.addToStatistic(kPosterior, stage.widen(sums[0]), column);
          stage.storeScratch(sums[1], stage.shift(column, scratch.entropy));
        },
        /*condition=*/loadFlag(stage, 0));
  }
  static void emitEntropy(StageEmission &stage, const AttentionHead &head,
                          const Scratch &scratch) {
    stage.forEach(head.heads, [&](Value number) {
      Value sum = stage.real(0);
      for (int64_t o = 0; o < head.context; ++o)
        sum = stage.subtract(
            sum, stage.widen(stage.loadScratch(
                     stage.shift(stage.at(number, head.context, stage.index(o)),
                                 scratch.entropy))));
      stage.addToStatistic(kEntropy, sum, number);
    });
  }
};

} // namespace

void mlir::nnet3::attachAttentionStatistics(MLIRContext &context) {
  RestrictedAttentionOp::attachInterface<AttentionStatistics>(context);
}
