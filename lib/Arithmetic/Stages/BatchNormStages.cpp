//===- BatchNormStages.cpp - Batch norm in training mode ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.7. All values are per column of the block view. The
// variance is a difference of two sums in double precision, as in the runtime.
//
//===----------------------------------------------------------------------===//

#include "StageModels.h"

#include "nnet3/Arithmetic/ColumnFactors.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// y = s (x - m): the memo holds the means m, the scales s, and, for
/// statistics, the variances, in this order. In the backward pass dx = s dy + a
/// y + b with a = -s/t^2 mean(dy y), b = -s mean(dy) for the target r.m.s. t.
struct BatchNormStages
    : public StagedKernelInterface::ExternalModel<BatchNormStages,
                                                  BatchNormOp> {
  bool hasStages(Operation *op, bool) const {
    return !cast<BatchNormOp>(op).getTestMode();
  }
  static int64_t getWidth(Operation *op) {
    auto norm = cast<BatchNormOp>(op);
    return norm.getBlockDim().value_or(norm.getDim());
  }
  int64_t getMemoSize(Operation *op, const StagedCommand &) const {
    return 3 * getWidth(op);
  }
  /// Forward: reductions of x and x^2; factors m, s and the variance. Backward:
  /// reductions of dy and dy y; factors s, a and b.
  static ColumnFactors getFactors(Operation *op, const StagedCommand &command) {
    return ColumnFactors(command.outputRows, cast<BatchNormOp>(op).getDim(),
                         getWidth(op), /*numSums=*/2, /*numFactors=*/3,
                         /*isDouble=*/!command.isBackward, command.isShared);
  }
  int64_t getStageScratchSize(Operation *op,
                              const StagedCommand &command) const {
    return getFactors(op, command).getScratchSize();
  }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    if (command.isBackward && !command.hasInputDerivative)
      return {};
    return getFactors(op, command).getStages();
  }
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned number,
                 Value item) const {
    if (command.isBackward)
      emitBackward(cast<BatchNormOp>(op), stage, command, number, item);
    else
      emitForward(cast<BatchNormOp>(op), stage, command, number, item);
  }

private:
  void emitForward(BatchNormOp op, StageEmission &stage,
                   const StagedCommand &command, unsigned number,
                   Value item) const;
  void emitBackward(BatchNormOp op, StageEmission &stage,
                    const StagedCommand &command, unsigned number,
                    Value item) const;
};

} // namespace

void BatchNormStages::emitForward(BatchNormOp op, StageEmission &stage,
                                  const StagedCommand &command, unsigned number,
                                  Value item) const {
  const int64_t width = getWidth(op);
  auto terms = [&](Value, Value c) {
    Value x = stage.widen(stage.load(c));
    return SmallVector<Value>{x, stage.multiply(x, x)};
  };
  auto factors = [&](ValueRange sums, Value inverseCount, Value) {
    Value mean = stage.multiply(sums[0], inverseCount);
    Value variance = stage.narrow(stage.subtract(
        stage.multiply(sums[1], inverseCount), stage.multiply(mean, mean)));
    // Rounding may make the variance of equal elements negative.
    Value zero = stage.number(0);
    variance = stage.selectGreater(zero, variance, zero, variance);
    Value deviation = stage.sqrt(
        stage.add(variance, stage.number(op.getEpsilon().convertToFloat())));
    Value scale = stage.divide(stage.number(op.getTargetRms().convertToFloat()),
                               deviation);
    return SmallVector<Value>{stage.narrow(mean), scale, variance};
  };
  auto keep = [&](Value c, ValueRange factors) {
    for (auto [i, factor] : llvm::enumerate(factors))
      stage.storeMemo(factor, stage.shift(c, i * width));
  };
  auto apply = [&](Value c, ValueRange factors) {
    Value difference = stage.subtract(stage.load(c), factors[0]);
    stage.store(stage.multiply(difference, factors[1]), c);
  };
  auto prefetch = [&](Value c) { stage.prefetch(c); };
  getFactors(op, command)
      .emit(stage, number, item, {terms, factors, keep, apply, prefetch});
}

void BatchNormStages::emitBackward(BatchNormOp op, StageEmission &stage,
                                   const StagedCommand &command,
                                   unsigned number, Value item) const {
  const float rms = op.getTargetRms().convertToFloat();
  auto terms = [&](Value, Value c) {
    Value dy = stage.loadDerivative(c);
    return SmallVector<Value>{dy, stage.multiply(dy, stage.loadOutput(c))};
  };
  auto factors = [&](ValueRange sums, Value inverseCount, Value c) {
    Value mean = stage.multiply(sums[0], inverseCount);
    Value dot = stage.multiply(sums[1], inverseCount);
    Value scale = stage.loadMemo(stage.shift(c, getWidth(op)));
    Value negated = stage.multiply(scale, stage.number(-1));
    Value ofOutput = stage.multiply(
        negated, stage.multiply(dot, stage.number(1 / (rms * rms))));
    return SmallVector<Value>{scale, ofOutput, stage.multiply(negated, mean)};
  };
  auto apply = [&](Value c, ValueRange factors) {
    Value sum = stage.add(stage.multiply(factors[0], stage.loadDerivative(c)),
                          stage.multiply(factors[1], stage.loadOutput(c)));
    stage.store(stage.add(sum, factors[2]), c);
  };
  auto prefetch = [&](Value c) {
    stage.prefetchDerivative(c);
    stage.prefetchOutput(c);
  };
  getFactors(op, command)
      .emit(stage, number, item,
            {terms, factors, /*keep=*/nullptr, apply, prefetch});
}

void mlir::nnet3::attachBatchNormStages(MLIRContext &context) {
  BatchNormOp::attachInterface<BatchNormStages>(context);
}
