//===- MaskStages.cpp - Masks that rows share -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The masks are drawn first and are the memo of the forward pass. The random
// numbers are equal to those of the runtime's kernels for the same seed.
//
//===----------------------------------------------------------------------===//

#include "StageModels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

/// Stores `mask` times an element of the input or, in the backward pass, of the
/// output derivative.
static void storeMasked(StageEmission &stage, const StagedCommand &command,
                        Value mask, Value column) {
  Value element =
      command.isBackward ? stage.loadDerivative(column) : stage.load(column);
  stage.store(stage.multiply(element, mask), column);
}

/// Returns the phases of a component whose masks are drawn by `ofMasks`.
static SmallVector<KernelStage> getMaskStages(const StagedCommand &command,
                                              int64_t dim,
                                              const KernelStage &ofMasks) {
  const KernelStage ofRows = {command.outputRows, dim};
  if (!command.isBackward)
    return {ofMasks, ofRows};
  if (!command.hasInputDerivative)
    return {};
  return {ofRows};
}

namespace {

/// Spec: components.md 6.8.
struct GeneralDropoutStages
    : public StagedKernelInterface::ExternalModel<GeneralDropoutStages,
                                                  GeneralDropoutOp> {
  static int64_t getWidth(Operation *op) {
    auto dropout = cast<GeneralDropoutOp>(op);
    return dropout.getBlockDim().value_or(dropout.getDim());
  }
  static bool isSpecAugment(Operation *op) {
    return !cast<GeneralDropoutOp>(op).getSpecaugmentMaxProportion().isZero();
  }
  static int64_t getNumMasks(const StagedCommand &command) {
    return *llvm::max_element(
               getPrecomputedRows(command.precomputed, "indexes")) +
           1;
  }
  bool hasStages(Operation *op, bool) const {
    auto dropout = cast<GeneralDropoutOp>(op);
    return !dropout.getTestMode() &&
           !(dropout.getDropoutProportion().isZero() && !isSpecAugment(op));
  }
  bool drawsNumbers(Operation *) const { return true; }
  int64_t getMemoSize(Operation *op, const StagedCommand &command) const {
    return getNumMasks(command) * getWidth(op);
  }
  /// The number of each row's mask.
  SmallVector<SmallVector<int64_t>>
  getTables(Operation *, const StagedCommand &command) const {
    return {getPrecomputedRows(command.precomputed, "indexes")};
  }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    const int64_t threads =
        isSpecAugment(op) ? getWidth(op)
                          : StageEmission::getDrawingThreads(getWidth(op));
    return getMaskStages(command, cast<GeneralDropoutOp>(op).getDim(),
                         {getNumMasks(command), threads});
  }
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned number,
                 Value item) const;

private:
  void emitMask(GeneralDropoutOp op, StageEmission &stage, Value mask) const;
  void emitSpecAugment(GeneralDropoutOp op, StageEmission &stage,
                       Value mask) const;
};

/// Spec: components.md 6.13.
struct TimeMaskStages
    : public StagedKernelInterface::ExternalModel<TimeMaskStages,
                                                  SpecAugmentTimeMaskOp> {
  bool hasStages(Operation *op, bool) const {
    auto mask = cast<SpecAugmentTimeMaskOp>(op);
    return !mask.getTestMode() && !mask.getZeroedProportion().isZero();
  }
  bool drawsNumbers(Operation *) const { return true; }
  int64_t getMemoSize(Operation *, const StagedCommand &command) const {
    return command.outputRows;
  }
  static SmallVector<int64_t> getLengths(const StagedCommand &command) {
    return getPrecomputedRows(command.precomputed, "lengths");
  }
  /// The rows of all sequences, each sorted by time, and the first entry of
  /// each sequence.
  SmallVector<SmallVector<int64_t>>
  getTables(Operation *, const StagedCommand &command) const {
    SmallVector<int64_t> begins = {0};
    for (int64_t length : getLengths(command))
      begins.push_back(begins.back() + length);
    return {getPrecomputedRows(command.precomputed, "rows"), begins};
  }
  /// One thread draws the masked and kept frame ranges of a sequence in order.
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    return getMaskStages(command, cast<SpecAugmentTimeMaskOp>(op).getDim(),
                         {int64_t(getLengths(command).size()), 1});
  }
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned number,
                 Value item) const;

private:
  void emitMasks(SpecAugmentTimeMaskOp op, StageEmission &stage,
                 Value sequence) const;
};

} // namespace

//===----------------------------------------------------------------------===//
// GeneralDropoutComponent
//===----------------------------------------------------------------------===//

void GeneralDropoutStages::emitStage(Operation *op, StageEmission &stage,
                                     const StagedCommand &command,
                                     unsigned number, Value item) const {
  auto dropout = cast<GeneralDropoutOp>(op);
  if (!command.isBackward && number == 0) {
    if (isSpecAugment(op))
      return emitSpecAugment(dropout, stage, item);
    return emitMask(dropout, stage, item);
  }
  const int64_t width = getWidth(op);
  Value mask = stage.loadTable(0, item);
  stage.setRow(item);
  stage.forEach(dropout.getDim(), [&](Value c) {
    Value place = stage.at(mask, width, stage.remainder(c, width));
    storeMasked(stage, command, stage.loadMemo(place), c);
  });
}

void GeneralDropoutStages::emitMask(GeneralDropoutOp op, StageEmission &stage,
                                    Value mask) const {
  const int64_t width = getWidth(op);
  const float p = op.getDropoutProportion().convertToFloat();
  Value kept = stage.number(p < 1 ? 1 / (1 - p) : 0);
  Value first = stage.at(mask, width, stage.index(0));
  stage.forEachDrawn(width, first, [&](Value c, Value drawn) {
    Value value = op.getContinuous()
                      ? stage.add(stage.number(1 - 2 * p),
                                  stage.multiply(stage.number(4 * p), drawn))
                      : stage.selectGreater(drawn, stage.number(p), kept,
                                            stage.number(0));
    stage.storeMemo(value, stage.shift(first, c));
  });
}

/// Zeroes a cyclic range of bins. Each further region results from swapping
/// pairs within a random half of the bins.
void GeneralDropoutStages::emitSpecAugment(GeneralDropoutOp op,
                                           StageEmission &stage,
                                           Value mask) const {
  const int64_t bins = getWidth(op), half = bins / 2;
  const int64_t regions = op.getSpecaugmentMaxRegions();
  const auto longest = static_cast<int64_t>(std::floor(
      bins * op.getSpecaugmentMaxProportion().convertToDouble() + 0.5));
  Value position = stage.at(mask, 2 + regions, stage.index(0));
  Value length = stage.drawInteger(position, longest);
  Value start = stage.drawInteger(stage.shift(position, 1), bins - 1);
  auto getPlace = [&](Value bin) {
    return stage.at(mask, bins, stage.remainder(bin, bins));
  };
  stage.forEach(bins, [&](Value bin) {
    Value offset =
        stage.remainder(stage.minus(stage.shift(bin, bins), start), bins);
    stage.storeMemo(stage.select(stage.isLess(offset, length), stage.number(0),
                                 stage.number(1)),
                    getPlace(bin));
  });
  if (regions == 1 || half < 2)
    return;
  Value none = stage.isEqual(length, stage.index(0));
  stage.forEach(1, [&](Value) {
    Value last = stage.select(none, stage.index(1), stage.index(regions));
    stage.loop(stage.index(1), last, {},
               [&](Value region, ValueRange) -> SmallVector<Value> {
                 Value first = stage.drawInteger(
                     stage.shift(position, stage.shift(region, 1)), bins - 1);
                 stage.loop(stage.index(0), stage.index(half / 2), {},
                            [&](Value i, ValueRange) -> SmallVector<Value> {
                              Value one = getPlace(stage.shift(first, i));
                              Value other = getPlace(
                                  stage.minus(stage.shift(first, half), i));
                              Value before = stage.loadMemo(one);
                              stage.storeMemo(stage.loadMemo(other), one);
                              stage.storeMemo(before, other);
                              return {};
                            });
                 return {};
               });
  });
}

//===----------------------------------------------------------------------===//
// SpecAugmentTimeMaskComponent
//===----------------------------------------------------------------------===//

void TimeMaskStages::emitStage(Operation *op, StageEmission &stage,
                               const StagedCommand &command, unsigned number,
                               Value item) const {
  auto component = cast<SpecAugmentTimeMaskOp>(op);
  if (!command.isBackward && number == 0)
    return emitMasks(component, stage, item);
  stage.setRow(item);
  Value mask = stage.loadMemo(item);
  stage.forEach(component.getDim(),
                [&](Value c) { storeMasked(stage, command, mask, c); });
}

/// The loop carries the mask, the remaining frames of the current range, and
/// the position of the next random number. As in Kaldi, the first range of a
/// sequence is *kept* with the probability of zeroing.
void TimeMaskStages::emitMasks(SpecAugmentTimeMaskOp op, StageEmission &stage,
                               Value sequence) const {
  const double proportion = op.getZeroedProportion().convertToDouble();
  const int64_t longestZeroed = op.getTimeMaskMaxFrames();
  const auto longestKept = static_cast<int64_t>(
      std::floor(longestZeroed * (1 - proportion) / proportion));
  Value zero = stage.number(0), one = stage.number(1), none = stage.index(0);
  using Values = SmallVector<Value>;
  auto beginBlock = [&](ValueRange before) -> Values {
    Value mask = stage.subtract(one, before[0]);
    Value isKept = arith::CmpFOp::create(stage.getBuilder(), stage.getLoc(),
                                         arith::CmpFPredicate::OGT, mask, zero);
    Value length =
        stage.select(isKept, stage.drawInteger(before[2], longestKept - 1),
                     stage.drawInteger(before[2], longestZeroed - 1));
    return {mask, stage.shift(length, 1), stage.shift(before[2], 1)};
  };
  auto emitFrame = [&](Value frame, ValueRange before) -> Values {
    auto state = scf::IfOp::create(
        stage.getBuilder(), stage.getLoc(), stage.isEqual(before[1], none),
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, beginBlock(before));
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, before);
        });
    stage.storeMemo(state.getResult(0), stage.loadTable(0, frame));
    return {state.getResult(0), stage.shift(state.getResult(1), -1),
            state.getResult(2)};
  };
  stage.forEach(1, [&](Value) {
    Value begin = stage.loadTable(1, sequence),
          end = stage.loadTable(1, stage.shift(sequence, 1)),
          position = stage.shift(begin, sequence);
    // The first range gets the opposite of the initial mask.
    Value before = stage.selectGreater(stage.number(float(proportion)),
                                       stage.draw(position), zero, one);
    stage.loop(begin, end, {before, none, stage.shift(position, 1)}, emitFrame);
  });
}

void mlir::nnet3::attachMaskStages(MLIRContext &context) {
  GeneralDropoutOp::attachInterface<GeneralDropoutStages>(context);
  SpecAugmentTimeMaskOp::attachInterface<TimeMaskStages>(context);
}
