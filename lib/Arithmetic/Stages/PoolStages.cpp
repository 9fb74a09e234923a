//===- PoolStages.cpp - Backward passes of groups and pools of columns ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageModels.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// dx = x dy / y, or 0 where y is (spec: components.md 6.39).
struct PnormStages : public BackwardRowStage<PnormStages, PnormOp> {
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value) const {
    auto pnorm = cast<PnormOp>(op);
    const int64_t dim = pnorm.getInputDim();
    const int64_t group = dim / pnorm.getOutputDim();
    stage.forEach(dim, [&](Value c) {
      Value at = stage.quotient(c, group);
      Value y = stage.loadOutput(at);
      Value scale =
          stage.select(stage.isNumber(y, stage.number(0)), stage.number(0),
                       stage.divide(stage.loadDerivative(at), y));
      stage.store(stage.multiply(scale, stage.loadInput(c)), c);
    });
  }
};

/// Pools in one direction of an image.
struct Axis {
  int64_t input, size, step;
  int64_t count() const { return (input - size) / step + 1; }
  /// How many pools a pixel may be in.
  int64_t overlap() const { return llvm::divideCeil(size, step); }
};

/// A pool that a pixel may be in: its number, and whether it is.
struct Pool {
  Value number, holds;
};

Pool getPool(StageEmission &stage, const Axis &axis, Value pixel, Value which) {
  Value number = stage.minus(stage.quotient(pixel, axis.step), which);
  Value isThere = stage.both(stage.isLess(stage.index(-1), number),
                             stage.isLess(number, stage.index(axis.count())));
  Value first = stage.at(number, axis.step, stage.index(0));
  Value isInside =
      stage.isLess(stage.minus(pixel, first), stage.index(axis.size));
  return {number, stage.both(isThere, isInside)};
}

/// Each pixel gets the derivatives of all pools whose maximum it is (spec:
/// components.md 6.44).
struct MaxpoolingStages
    : public BackwardRowStage<MaxpoolingStages, MaxpoolingOp> {
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value) const {
    auto pool = cast<MaxpoolingOp>(op);
    const Axis x = {int64_t(pool.getInputXDim()), int64_t(pool.getPoolXSize()),
                    int64_t(pool.getPoolXStep())};
    const Axis y = {int64_t(pool.getInputYDim()), int64_t(pool.getPoolYSize()),
                    int64_t(pool.getPoolYStep())};
    const Axis z = {int64_t(pool.getInputZDim()), int64_t(pool.getPoolZSize()),
                    int64_t(pool.getPoolZStep())};
    stage.forEach(x.input * y.input * z.input, [&](Value c) {
      Value line = stage.quotient(c, z.input);
      Value pixelX = stage.quotient(line, y.input);
      Value pixelY = stage.remainder(line, y.input);
      Value pixelZ = stage.remainder(c, z.input);
      Value value = stage.loadInput(c);
      auto inZ = [&](Pool inX, Pool inY) {
        return [&, inX, inY](Value which,
                             ValueRange sum) -> SmallVector<Value> {
          Pool inZ = getPool(stage, z, pixelZ, which);
          Value holds = stage.both(stage.both(inX.holds, inY.holds), inZ.holds);
          Value place = stage.at(stage.at(inX.number, y.count(), inY.number),
                                 z.count(), inZ.number);
          place = stage.select(holds, place, stage.index(0));
          Value isLargest = arith::CmpFOp::create(
              stage.getBuilder(), stage.getLoc(), arith::CmpFPredicate::OEQ,
              value, stage.loadOutput(place));
          Value dy = stage.select(stage.both(holds, isLargest),
                                  stage.loadDerivative(place), stage.number(0));
          return {stage.add(sum[0], dy)};
        };
      };
      auto overlap =
          [&](const Axis &axis, ValueRange sum,
              function_ref<SmallVector<Value>(Value, ValueRange)> body) {
            return stage.loop(stage.index(0), stage.index(axis.overlap()), sum,
                              body);
          };
      Value zero = stage.number(0);
      auto sum = overlap(x, zero, [&](Value whichX, ValueRange before) {
        Pool inX = getPool(stage, x, pixelX, whichX);
        return overlap(y, before, [&](Value whichY, ValueRange before) {
          Pool inY = getPool(stage, y, pixelY, whichY);
          return overlap(z, before, inZ(inX, inY));
        });
      });
      stage.store(sum[0], c);
    });
  }
};

} // namespace

void mlir::nnet3::attachPoolStages(MLIRContext &context) {
  PnormOp::attachInterface<PnormStages>(context);
  MaxpoolingOp::attachInterface<MaxpoolingStages>(context);
}
