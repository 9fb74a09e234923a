//===- BatchNormStages.cpp - Batch norm in training mode ------------------===//
//
// Spec: components.md 6.7. All of it is per column of the block view. The
// variance is that of the differences to the mean, so f32 is enough for it.
//
//===----------------------------------------------------------------------===//

#include "StageModels.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Sums over the rows of the block view of a batch.
class Columns {
public:
  Columns(BatchNormOp op, StageEmission &stage, const StagedCommand &command)
      : dim(op.getDim()), width(op.getBlockDim().value_or(dim)),
        rows(command.outputRows), stage(stage) {}

  /// The mean of `body`, which gets the column of the matrix.
  Value mean(Value column, function_ref<Value(Value)> body) {
    const int64_t blocks = dim / width;
    Value sum = stage.sum(rows * blocks, [&](Value k) {
      stage.setRow(blocks == 1 ? k : stage.quotient(k, blocks));
      return body(blocks == 1
                      ? column
                      : stage.at(stage.remainder(k, blocks), width, column));
    });
    return stage.multiply(sum, stage.number(1.0f / (rows * blocks)));
  }
  /// Calls `body` for all columns of row `row`, and the ones of their block.
  void forEach(Value row, function_ref<void(Value, Value)> body) {
    stage.setRow(row);
    stage.forEach(dim, [&](Value c) {
      body(c, dim == width ? c : stage.remainder(c, width));
    });
  }

  const int64_t dim, width, rows;

private:
  StageEmission &stage;
};

/// y = s (x - m): the memo has the means m, and behind them the scales s. In
/// the backward pass dx = s dy + a y + b, where a and b are in the scratch
/// memory.
struct BatchNormStages
    : public StagedKernelInterface::ExternalModel<BatchNormStages,
                                                  BatchNormOp> {
  static int64_t getWidth(Operation *op) {
    auto component = cast<BatchNormOp>(op);
    return component.getBlockDim().value_or(component.getDim());
  }

  bool hasStages(Operation *op, bool) const {
    return !cast<BatchNormOp>(op).getTestMode();
  }
  int64_t getMemoSize(Operation *op, const StagedCommand &) const {
    return 2 * getWidth(op);
  }
  int64_t getStageScratchSize(Operation *op,
                              const StagedCommand &command) const {
    return command.isBackward ? 2 * getWidth(op) : 0;
  }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    const int64_t rows = command.outputRows;
    const int64_t dim = cast<BatchNormOp>(op).getDim();
    const KernelStage ofColumns = {getWidth(op), rows * dim / getWidth(op), {}};
    const KernelStage ofRows = {rows, dim, {}};
    if (!command.isBackward)
      return {ofColumns, ofColumns, ofRows};
    if (!command.hasInputDerivative)
      return {};
    return {ofColumns, ofRows};
  }
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned number,
                 Value item) const {
    Columns columns(cast<BatchNormOp>(op), stage, command);
    if (command.isBackward)
      emitBackward(cast<BatchNormOp>(op), stage, columns, number, item);
    else
      emitForward(cast<BatchNormOp>(op), stage, columns, number, item);
  }

private:
  void emitForward(BatchNormOp op, StageEmission &stage, Columns &columns,
                   unsigned number, Value item) const;
  void emitBackward(BatchNormOp op, StageEmission &stage, Columns &columns,
                    unsigned number, Value item) const;
};

} // namespace

void BatchNormStages::emitForward(BatchNormOp op, StageEmission &stage,
                                  Columns &columns, unsigned number,
                                  Value item) const {
  const int64_t width = columns.width;
  if (number == 0) {
    Value mean =
        columns.mean(item, [&](Value c) { return stage.loadInput(c); });
    stage.forEach(1, [&](Value) { stage.storeMemo(mean, item); });
    return;
  }
  if (number == 1) {
    Value mean = stage.loadMemo(item);
    Value variance = columns.mean(item, [&](Value c) {
      Value difference = stage.subtract(stage.loadInput(c), mean);
      return stage.multiply(difference, difference);
    });
    Value deviation = stage.sqrt(
        stage.add(variance, stage.number(op.getEpsilon().convertToFloat())));
    Value scale = stage.divide(stage.number(op.getTargetRms().convertToFloat()),
                               deviation);
    stage.forEach(
        1, [&](Value) { stage.storeMemo(scale, stage.shift(item, width)); });
    return;
  }
  columns.forEach(item, [&](Value c, Value inBlock) {
    Value scale = stage.loadMemo(stage.shift(inBlock, width));
    stage.store(
        stage.multiply(
            stage.subtract(stage.loadInput(c), stage.loadMemo(inBlock)), scale),
        c);
  });
}

/// a = -s/t^2 mean(dy y), b = -s mean(dy) for the target r.m.s. t.
void BatchNormStages::emitBackward(BatchNormOp op, StageEmission &stage,
                                   Columns &columns, unsigned number,
                                   Value item) const {
  const int64_t width = columns.width;
  auto getScale = [&](Value c) {
    return stage.loadMemo(stage.shift(c, width));
  };
  if (number == 0) {
    const float rms = op.getTargetRms().convertToFloat();
    Value mean =
        columns.mean(item, [&](Value c) { return stage.loadDerivative(c); });
    Value dot = columns.mean(item, [&](Value c) {
      return stage.multiply(stage.loadDerivative(c), stage.loadOutput(c));
    });
    Value scale = stage.multiply(getScale(item), stage.number(-1));
    stage.forEach(1, [&](Value) {
      stage.storeScratch(
          stage.multiply(scale,
                         stage.multiply(dot, stage.number(1 / (rms * rms)))),
          item);
      stage.storeScratch(stage.multiply(scale, mean), stage.shift(item, width));
    });
    return;
  }
  columns.forEach(item, [&](Value c, Value inBlock) {
    Value ofDerivative =
        stage.multiply(getScale(inBlock), stage.loadDerivative(c));
    Value ofOutput =
        stage.multiply(stage.loadScratch(inBlock), stage.loadOutput(c));
    stage.store(stage.add(stage.add(ofDerivative, ofOutput),
                          stage.loadScratch(stage.shift(inBlock, width))),
                c);
  });
}

void mlir::nnet3::attachBatchNormStages(MLIRContext &context) {
  BatchNormOp::attachInterface<BatchNormStages>(context);
}
