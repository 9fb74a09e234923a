//===- NonlinearStatistics.cpp - Statistics of nonlinearities -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NonlinearDecisions.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// `Model` has kKind, emitSlope() of y, and emitRepair() of the derivative, the
/// amount and y.
template <typename Model, typename OpTy>
struct NonlinearStatistics
    : public StatisticsKernelInterface::ExternalModel<Model, OpTy> {
  static Nonlinear get(Operation *op, const StagedCommand &command) {
    return Nonlinear(cast<OpTy>(op), Model::kKind, command);
  }
  SmallVector<int64_t> getStatisticSizes(Operation *op) const {
    const int64_t dim = cast<OpTy>(op).getDim();
    return {dim, dim, 1, dim, 1, 1, 1};
  }
  SmallVector<KernelStage>
  getStatisticsStages(Operation *op, const StagedCommand &command) const {
    return get(op, command).getStages();
  }
  int64_t getStatisticsScratchSize(Operation *op,
                                   const StagedCommand &command) const {
    return get(op, command).getScratchSize();
  }
  void emitStatisticsStage(Operation *op, StageEmission &stage,
                           const StagedCommand &command, unsigned number,
                           Value item) const {
    const Nonlinear nonlinear = get(op, command);
    const bool isForward = command.phase == StatisticsPhase::Forward;
    if (command.phase == StatisticsPhase::After)
      return emitRepairs(nonlinear, stage, item);
    if (number == 0)
      return isForward ? nonlinear.decideForward(stage)
                       : nonlinear.decideBackward(stage);
    nonlinear.sums.emit(
        stage, number - 1, item,
        [&](Value, Value c) {
          return isForward ? getForwardTerms(stage, c)
                           : getBackwardTerms(stage, c);
        },
        [&](Value c, ValueRange sums) {
          stage.addToStatistic(isForward ? kValueSum : kOderivSumsq,
                               stage.widen(sums[0]), c);
          if (sums.size() > 1)
            stage.addToStatistic(kDerivSum, stage.widen(sums[1]), c);
        },
        /*condition=*/loadFlag(stage, kIsKept));
  }

private:
  static SmallVector<Value> getForwardTerms(StageEmission &stage, Value c) {
    Value y = stage.loadOutput(c);
    if (!Model::kKind.keepsDerivs)
      return {y};
    return {y, Model::emitSlope(stage, y)};
  }
  static SmallVector<Value> getBackwardTerms(StageEmission &stage, Value c) {
    Value dy = stage.loadDerivative(c);
    return {stage.multiply(dy, dy)};
  }
  static void emitRepairs(const Nonlinear &nonlinear, StageEmission &stage,
                          Value row) {
    stage.setRow(row);
    Value isRepaired = loadFlag(stage, kIsRepaired);
    stage.forEach(nonlinear.dim, [&](Value c) {
      stage.ifTrue(isRepaired, [&] {
        Value inBlock = nonlinear.blockDim == nonlinear.dim
                            ? c
                            : stage.remainder(c, nonlinear.blockDim);
        Value amount = stage.loadScratch(stage.shift(inBlock, kAmounts));
        stage.store(Model::emitRepair(stage, stage.loadStored(c), amount,
                                      stage.loadOutput(c)),
                    c);
      });
    });
  }
};

struct ReluStatistics
    : public NonlinearStatistics<ReluStatistics, RectifiedLinearOp> {
  static constexpr NonlinearKind kKind = {true, true, true, 0.05, 0.95, true};
  static Value emitSlope(StageEmission &stage, Value y) {
    return stage.selectGreater(y, stage.number(0), stage.number(1),
                               stage.number(0));
  }
  static Value emitRepair(StageEmission &stage, Value dx, Value amount, Value) {
    return stage.add(dx, amount);
  }
};

struct SigmoidStatistics
    : public NonlinearStatistics<SigmoidStatistics, SigmoidOp> {
  static constexpr NonlinearKind kKind = {true, true, true, 0.05, 0, false};
  static Value emitSlope(StageEmission &stage, Value y) {
    return stage.multiply(y, stage.subtract(stage.number(1), y));
  }
  static Value emitRepair(StageEmission &stage, Value dx, Value amount,
                          Value y) {
    Value centered = stage.subtract(stage.number(1), stage.add(y, y));
    return stage.add(dx, stage.multiply(amount, centered));
  }
};

struct TanhStatistics : public NonlinearStatistics<TanhStatistics, TanhOp> {
  static constexpr NonlinearKind kKind = {true, true, true, 0.2, 0, false};
  static Value emitSlope(StageEmission &stage, Value y) {
    return stage.subtract(stage.number(1), stage.multiply(y, y));
  }
  static Value emitRepair(StageEmission &stage, Value dx, Value amount,
                          Value y) {
    return stage.subtract(dx, stage.multiply(amount, y));
  }
};

/// Nonlinearities without slope statistics and without self-repair.
template <typename Model, typename OpTy>
struct RowStatistics : public NonlinearStatistics<Model, OpTy> {
  static Value emitSlope(StageEmission &, Value y) { return y; }
  static Value emitRepair(StageEmission &, Value dx, Value, Value) {
    return dx;
  }
};

struct SoftmaxStatistics : public RowStatistics<SoftmaxStatistics, SoftmaxOp> {
  static constexpr NonlinearKind kKind = {true, false, false, 0, 0, false};
};

struct LogSoftmaxStatistics
    : public RowStatistics<LogSoftmaxStatistics, LogSoftmaxOp> {
  static constexpr NonlinearKind kKind = {false, false, false, 0, 0, false};
};

} // namespace

void mlir::nnet3::attachNonlinearStatistics(MLIRContext &context) {
  RectifiedLinearOp::attachInterface<ReluStatistics>(context);
  SigmoidOp::attachInterface<SigmoidStatistics>(context);
  TanhOp::attachInterface<TanhStatistics>(context);
  SoftmaxOp::attachInterface<SoftmaxStatistics>(context);
  LogSoftmaxOp::attachInterface<LogSoftmaxStatistics>(context);
}
