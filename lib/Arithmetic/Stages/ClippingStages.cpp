//===- ClippingStages.cpp - Components that clip derivatives --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The norm of a row is measured before anything is changed.
//
//===----------------------------------------------------------------------===//

#include "Clipping.h"
#include "StageModels.h"

using namespace mlir;
using namespace mlir::nnet3;

Value mlir::nnet3::emitNorm(StageEmission &stage, int64_t dim) {
  Value squares = stage.sum(dim, [&](Value c) {
    Value dy = stage.loadDerivative(c);
    return stage.multiply(dy, dy);
  });
  return stage.sqrt(squares);
}

SmallVector<int64_t> mlir::nnet3::getBoundaries(const StagedCommand &command) {
  if (!command.precomputed)
    return SmallVector<int64_t>(command.outputRows, 0);
  SmallVector<int64_t> boundaries =
      getPrecomputedRows(command.precomputed, "zeroing");
  for (int64_t &entry : boundaries)
    entry = entry != 0;
  return boundaries;
}

float mlir::nnet3::getThreshold(APFloat threshold) {
  const float value = threshold.convertToFloat();
  return value > 0 ? value : 1e10f;
}

/// What scales a row to a norm of `most` at most; NaN if the norm is NaN.
static Value emitClip(StageEmission &stage, Value norm, Value most) {
  return stage.selectGreater(most, norm, stage.number(1),
                             stage.divide(most, norm));
}

/// dx = `scale` dy.
static void emitScaled(StageEmission &stage, int64_t dim, Value scale) {
  stage.forEach(dim, [&](Value c) {
    stage.store(stage.multiply(stage.loadDerivative(c), scale), c);
  });
}

namespace {

/// (spec: components.md 6.25)
struct ClipGradientStages
    : public BackwardRowStage<ClipGradientStages, ClipGradientOp> {
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value) const {
    auto clip = cast<ClipGradientOp>(op);
    const int64_t dim = clip.getDim();
    const float threshold = clip.getClippingThreshold().convertToFloat();
    Value most = stage.number(threshold);
    if (threshold == 0)
      return stage.forEach(dim,
                           [&](Value c) { stage.store(stage.number(0), c); });
    if (clip.getNormBasedClipping()) {
      return emitScaled(stage, dim,
                        emitClip(stage, emitNorm(stage, dim), most));
    }
    Value least = stage.number(-threshold);
    stage.forEach(dim, [&](Value c) {
      Value dy = stage.loadDerivative(c);
      Value notMore = stage.selectGreater(dy, most, most, dy);
      stage.store(stage.selectGreater(least, dy, least, notMore), c);
    });
  }
};

/// (spec: components.md 6.16)
struct TruncationStages
    : public BackwardRowStage<TruncationStages, BackpropTruncationOp> {
  /// Whether the row is at a boundary where derivatives may become zero.
  SmallVector<SmallVector<int64_t>>
  getTables(Operation *, const StagedCommand &command) const {
    return {getBoundaries(command)};
  }
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value row) const {
    auto truncation = cast<BackpropTruncationOp>(op);
    const int64_t dim = truncation.getDim();
    Value most = stage.number(getThreshold(truncation.getClippingThreshold()));
    Value zeroed = stage.number(getThreshold(truncation.getZeroingThreshold()));
    Value scale = stage.number(truncation.getScale().convertToFloat());
    Value norm = stage.multiply(scale, emitNorm(stage, dim));
    Value clipped = stage.multiply(scale, emitClip(stage, norm, most));
    Value atBoundary = stage.isLess(stage.index(0), stage.loadTable(0, row));
    Value isZeroed = stage.both(atBoundary, stage.isBelow(zeroed, norm));
    stage.forEach(dim, [&](Value c) {
      Value dx = stage.multiply(stage.loadDerivative(c), clipped);
      stage.store(stage.select(isZeroed, stage.number(0), dx), c);
    });
  }
};

} // namespace

void mlir::nnet3::attachClippingStages(MLIRContext &context) {
  ClipGradientOp::attachInterface<ClipGradientStages>(context);
  BackpropTruncationOp::attachInterface<TruncationStages>(context);
}
