//===- StatisticsStages.cpp - Backward passes of statistics over time -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of the output is of a range of rows of the input; so each row of the
// input is in the ranges of some rows of the output, which follow each other,
// as both are sorted by time.
//
//===----------------------------------------------------------------------===//

#include "StageModels.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// The ranges that what is precomputed has, of one sequence or of all.
struct Ranges {
  SmallVector<int64_t> begins, ends;  ///< of each row of the output
  SmallVector<int64_t> firsts, lasts; ///< of each row of the input, exclusive
};
} // namespace

static Ranges getRanges(const StagedCommand &command) {
  Ranges ranges;
  ranges.begins = getPrecomputedRows(command.precomputed, "begins");
  ranges.ends = getPrecomputedRows(command.precomputed, "ends");
  const int64_t perSequence = ranges.begins.size();
  const int64_t between =
      command.inputRows / (command.outputRows / perSequence);
  for (int64_t i = perSequence; i < command.outputRows; ++i) {
    ranges.begins.push_back(ranges.begins[i - perSequence] + between);
    ranges.ends.push_back(ranges.ends[i - perSequence] + between);
  }
  ranges.firsts.resize(command.inputRows, command.outputRows);
  ranges.lasts.resize(command.inputRows, 0);
  for (int64_t i = 0; i < command.outputRows; ++i)
    for (int64_t row = ranges.begins[i]; row < ranges.ends[i]; ++row) {
      ranges.firsts[row] = std::min(ranges.firsts[row], i);
      ranges.lasts[row] = i + 1;
    }
  return ranges;
}

namespace {

/// dx = sum of dy + 2 x sum of the derivatives of squares (spec: components.md
/// 6.26).
struct ExtractionStages
    : public BackwardRowStage<ExtractionStages, StatisticsExtractionOp> {
  SmallVector<SmallVector<int64_t>>
  getTables(Operation *, const StagedCommand &command) const {
    Ranges ranges = getRanges(command);
    return {ranges.firsts, ranges.lasts};
  }
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value row) const {
    auto extraction = cast<StatisticsExtractionOp>(op);
    const int64_t dim = extraction.getInputDim();
    const bool withSquares = extraction.getIncludeVariance();
    Value first = stage.loadTable(0, row), last = stage.loadTable(1, row);
    stage.forEach(dim, [&](Value c) {
      SmallVector<Value> zeros(withSquares ? 2 : 1, stage.number(0));
      SmallVector<Value> sums = stage.loop(
          first, last, zeros,
          [&](Value output, ValueRange before) -> SmallVector<Value> {
            stage.setRow(output);
            SmallVector<Value> after;
            for (auto [i, sum] : llvm::enumerate(before))
              after.push_back(stage.add(
                  sum, stage.loadDerivative(stage.shift(c, 1 + i * dim))));
            return after;
          });
      stage.setRow(row);
      Value dx = sums[0];
      if (withSquares) {
        Value x = stage.load(c);
        dx = stage.add(dx, stage.multiply(stage.add(x, x), sums[1]));
      }
      stage.store(dx, c);
    });
  }
};

/// First the derivatives of the sums, a row for each of the output; then what
/// each row of the input gets of them (spec: components.md 6.27).
struct PoolingStages
    : public StagedKernelInterface::ExternalModel<PoolingStages,
                                                  StatisticsPoolingOp> {
  static int64_t getNumMeans(Operation *op) {
    return cast<StatisticsPoolingOp>(op).getInputDim() - 1;
  }
  bool hasStages(Operation *, bool isBackward) const { return isBackward; }
  SmallVector<SmallVector<int64_t>>
  getTables(Operation *, const StagedCommand &command) const {
    Ranges ranges = getRanges(command);
    return {ranges.begins, ranges.ends, ranges.firsts, ranges.lasts};
  }
  int64_t getStageScratchSize(Operation *op,
                              const StagedCommand &command) const {
    return command.isBackward ? command.outputRows * getNumMeans(op) : 0;
  }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    if (!command.hasInputDerivative)
      return {};
    return {{command.outputRows, getNumMeans(op), {}},
            {command.inputRows, getNumMeans(op), {}}};
  }
  void emitStage(Operation *op, StageEmission &stage, const StagedCommand &,
                 unsigned number, Value row) const {
    if (number == 0)
      return emitSums(cast<StatisticsPoolingOp>(op), stage, row);
    const int64_t numMeans = getNumMeans(op);
    Value first = stage.loadTable(2, row), last = stage.loadTable(3, row);
    stage.setRow(row);
    stage.forEach(numMeans, [&](Value c) {
      Value sum = stage.loop(
          first, last, stage.number(0),
          [&](Value output, ValueRange before) -> SmallVector<Value> {
            Value deriv = stage.loadScratch(stage.at(output, numMeans, c));
            return {stage.add(before[0], deriv)};
          })[0];
      stage.store(sum, stage.shift(c, 1));
    });
  }

private:
  void emitSums(StatisticsPoolingOp op, StageEmission &stage, Value row) const;
  Value emitCount(StatisticsPoolingOp op, StageEmission &stage,
                  Value row) const;
};

} // namespace

/// How many frames row `row` of the output is of.
Value PoolingStages::emitCount(StatisticsPoolingOp op, StageEmission &stage,
                               Value row) const {
  if (op.getNumLogCountFeatures() > 0) {
    stage.setRow(row);
    return stage.exp(stage.loadOutput(stage.index(0)));
  }
  return stage.loop(stage.loadTable(0, row), stage.loadTable(1, row),
                    stage.number(0),
                    [&](Value input, ValueRange before) -> SmallVector<Value> {
                      stage.setRow(input);
                      return {stage.add(before[0], stage.load(stage.index(0)))};
                    })[0];
}

void PoolingStages::emitSums(StatisticsPoolingOp op, StageEmission &stage,
                             Value row) const {
  const int64_t numMeans = getNumMeans(op);
  const int64_t first = op.getNumLogCountFeatures();
  Value count = emitCount(op, stage, row);
  stage.setRow(row);
  auto getDeriv = [&](Value c) {
    return stage.divide(stage.loadDerivative(stage.shift(c, first)), count);
  };
  if (!op.getOutputStddevs())
    return stage.forEach(numMeans, [&](Value c) {
      stage.storeScratch(getDeriv(c), stage.at(row, numMeans, c));
    });
  const int64_t dim = numMeans / 2;
  stage.forEach(dim, [&](Value c) {
    Value mean = stage.loadOutput(stage.shift(c, first));
    Value stddev = stage.loadOutput(stage.shift(c, first + dim));
    Value half =
        stage.multiply(getDeriv(stage.shift(c, dim)), stage.number(0.5f));
    Value ofSquares = stage.divide(half, stddev);
    Value ofMean = stage.multiply(stage.add(mean, mean), ofSquares);
    Value to = stage.at(row, numMeans, c);
    stage.storeScratch(stage.subtract(getDeriv(c), ofMean), to);
    stage.storeScratch(ofSquares, stage.shift(to, dim));
  });
}

void mlir::nnet3::attachStatisticsStages(MLIRContext &context) {
  StatisticsExtractionOp::attachInterface<ExtractionStages>(context);
  StatisticsPoolingOp::attachInterface<PoolingStages>(context);
}
