//===- BatchNormStages.cpp - Batch norm in training mode ------------------===//
//
// Spec: components.md 6.7. All of it is per column of the block view. The
// variance is that of the differences to the mean, so f32 is enough for it.
//
//===----------------------------------------------------------------------===//

#include "StageModels.h"

#include "nnet3/Fusion/ColumnSums.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// The block view of a batch.
class Columns {
public:
  Columns(BatchNormOp op, const StagedCommand &command)
      : dim(op.getDim()), width(op.getBlockDim().value_or(dim)),
        rows(command.outputRows), place(command.isBackward ? 2 * width : 0) {}

  /// Sums over its rows, behind what the backward pass has in the scratch
  /// memory.
  ColumnSums getSums(unsigned count) const {
    return ColumnSums(rows, dim, count, place).foldTo(width);
  }
  Value getMean(StageEmission &stage, Value sum) const {
    return stage.multiply(sum, stage.number(1.0f / (rows * (dim / width))));
  }
  /// The column of its block that is column `c` of the matrix.
  Value inBlock(StageEmission &stage, Value c) const {
    return dim == width ? c : stage.remainder(c, width);
  }
  /// Calls `body` for all columns of row `row`, and the ones of their block.
  void forEach(StageEmission &stage, Value row,
               function_ref<void(Value, Value)> body) const {
    stage.setRow(row);
    stage.forEach(dim, [&](Value c) { body(c, inBlock(stage, c)); });
  }

  const int64_t dim, width, rows, place;
};

/// y = s (x - m): the memo has the means m, behind them the scales s, and
/// behind these the variances, for statistics. In the backward pass dx = s dy +
/// a y + b, where a and b are in the scratch memory.
struct BatchNormStages
    : public StagedKernelInterface::ExternalModel<BatchNormStages,
                                                  BatchNormOp> {
  bool hasStages(Operation *op, bool) const {
    return !cast<BatchNormOp>(op).getTestMode();
  }
  int64_t getMemoSize(Operation *op, const StagedCommand &command) const {
    return 3 * Columns(cast<BatchNormOp>(op), command).width;
  }
  int64_t getStageScratchSize(Operation *op,
                              const StagedCommand &command) const {
    const Columns columns(cast<BatchNormOp>(op), command);
    const unsigned numSums = command.isBackward ? 2 : 1;
    return columns.place + columns.getSums(numSums).getScratchSize();
  }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    const Columns columns(cast<BatchNormOp>(op), command);
    const KernelStage ofRows = {columns.rows, columns.dim, {}};
    if (command.isBackward && !command.hasInputDerivative)
      return {};
    // Means and variances, or both means of the backward pass at once.
    SmallVector<KernelStage> stages;
    for (int i = 0; i < (command.isBackward ? 1 : 2); ++i)
      llvm::append_range(
          stages, columns.getSums(command.isBackward ? 2 : 1).getStages());
    stages.push_back(ofRows);
    return stages;
  }
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned number,
                 Value item) const {
    const Columns columns(cast<BatchNormOp>(op), command);
    if (command.isBackward)
      emitBackward(cast<BatchNormOp>(op), stage, columns, number, item);
    else
      emitForward(cast<BatchNormOp>(op), stage, columns, number, item);
  }

private:
  void emitForward(BatchNormOp op, StageEmission &stage, const Columns &columns,
                   unsigned number, Value item) const;
  void emitMeans(StageEmission &stage, const Columns &columns, unsigned number,
                 Value item) const;
  void emitScales(BatchNormOp op, StageEmission &stage, const Columns &columns,
                  unsigned number, Value item) const;
  void emitBackward(BatchNormOp op, StageEmission &stage,
                    const Columns &columns, unsigned number, Value item) const;
  void emitFactors(BatchNormOp op, StageEmission &stage, const Columns &columns,
                   unsigned number, Value item) const;
};

} // namespace

void BatchNormStages::emitForward(BatchNormOp op, StageEmission &stage,
                                  const Columns &columns, unsigned number,
                                  Value item) const {
  const unsigned each = columns.getSums(1).getNumStages();
  if (number < each)
    return emitMeans(stage, columns, number, item);
  if (number < 2 * each)
    return emitScales(op, stage, columns, number - each, item);
  columns.forEach(stage, item, [&](Value c, Value inBlock) {
    Value scale = stage.loadMemo(stage.shift(inBlock, columns.width));
    stage.store(
        stage.multiply(
            stage.subtract(stage.loadInput(c), stage.loadMemo(inBlock)), scale),
        c);
  });
}

void BatchNormStages::emitMeans(StageEmission &stage, const Columns &columns,
                                unsigned number, Value item) const {
  columns.getSums(1).emit(
      stage, number, item,
      [&](Value, Value c) { return SmallVector<Value>{stage.loadInput(c)}; },
      [&](Value c, ValueRange sums) {
        stage.storeMemo(columns.getMean(stage, sums[0]), c);
      });
}

void BatchNormStages::emitScales(BatchNormOp op, StageEmission &stage,
                                 const Columns &columns, unsigned number,
                                 Value item) const {
  auto square = [&](Value, Value c) {
    Value mean = stage.loadMemo(columns.inBlock(stage, c));
    Value difference = stage.subtract(stage.loadInput(c), mean);
    return SmallVector<Value>{stage.multiply(difference, difference)};
  };
  auto finish = [&](Value c, ValueRange sums) {
    Value variance = columns.getMean(stage, sums[0]);
    Value deviation = stage.sqrt(
        stage.add(variance, stage.number(op.getEpsilon().convertToFloat())));
    Value scale = stage.divide(stage.number(op.getTargetRms().convertToFloat()),
                               deviation);
    stage.storeMemo(scale, stage.shift(c, columns.width));
    stage.storeMemo(variance, stage.shift(c, 2 * columns.width));
  };
  columns.getSums(1).emit(stage, number, item, square, finish);
}

void BatchNormStages::emitBackward(BatchNormOp op, StageEmission &stage,
                                   const Columns &columns, unsigned number,
                                   Value item) const {
  if (number < columns.getSums(2).getNumStages())
    return emitFactors(op, stage, columns, number, item);
  const int64_t width = columns.width;
  columns.forEach(stage, item, [&](Value c, Value inBlock) {
    Value scale = stage.loadMemo(stage.shift(inBlock, width));
    Value ofDerivative = stage.multiply(scale, stage.loadDerivative(c));
    Value ofOutput =
        stage.multiply(stage.loadScratch(inBlock), stage.loadOutput(c));
    stage.store(stage.add(stage.add(ofDerivative, ofOutput),
                          stage.loadScratch(stage.shift(inBlock, width))),
                c);
  });
}

/// a = -s/t^2 mean(dy y), b = -s mean(dy) for the target r.m.s. t.
void BatchNormStages::emitFactors(BatchNormOp op, StageEmission &stage,
                                  const Columns &columns, unsigned number,
                                  Value item) const {
  const float rms = op.getTargetRms().convertToFloat();
  auto terms = [&](Value, Value c) {
    Value dy = stage.loadDerivative(c);
    return SmallVector<Value>{dy, stage.multiply(dy, stage.loadOutput(c))};
  };
  auto finish = [&](Value c, ValueRange sums) {
    Value mean = columns.getMean(stage, sums[0]);
    Value dot = columns.getMean(stage, sums[1]);
    Value scale = stage.multiply(stage.loadMemo(stage.shift(c, columns.width)),
                                 stage.number(-1));
    stage.storeScratch(
        stage.multiply(scale,
                       stage.multiply(dot, stage.number(1 / (rms * rms)))),
        c);
    stage.storeScratch(stage.multiply(scale, mean),
                       stage.shift(c, columns.width));
  };
  columns.getSums(2).emit(stage, number, item, terms, finish);
}

void mlir::nnet3::attachBatchNormStages(MLIRContext &context) {
  BatchNormOp::attachInterface<BatchNormStages>(context);
}
