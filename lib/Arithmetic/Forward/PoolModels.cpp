//===- PoolModels.cpp - Components that combine groups of columns ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <functional>

using namespace mlir;
using namespace mlir::nnet3;

/// Largest group or pool whose columns are unrolled.
static constexpr int64_t kMaxGroup = 64;

namespace {

template <typename Model, typename OpTy>
using Base = RowKernelInterface::ExternalModel<Model, OpTy>;
template <typename Model, typename OpTy>
using BackwardBase = BackwardKernelInterface::ExternalModel<Model, OpTy>;

/// The 2-norm of each group (spec: components.md 6.39). Small groups are
/// unrolled inside a loop over groups.
struct PnormModel : public Base<PnormModel, PnormOp> {
  static int64_t getGroup(PnormOp op) {
    return op.getInputDim() / op.getOutputDim();
  }
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    auto pnorm = cast<PnormOp>(op);
    if (getGroup(pnorm) > kMaxGroup)
      emitLarge(pnorm, row);
    else
      emitSmall(pnorm, row);
  }

private:
  static void emitSmall(PnormOp pnorm, RowEmission &row);
  static void emitLarge(PnormOp pnorm, RowEmission &row);
};

/// dx = x dy / y; 0 if y = 0.
struct PnormBackward : public BackwardBase<PnormBackward, PnormOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    const int64_t groups = cast<PnormOp>(op).getOutputDim();
    const int64_t size = PnormModel::getGroup(cast<PnormOp>(op));
    row.forEachOf(groups, size, [&](Value group, Value c) {
      Value at = row.at(group, size, c), zero = row.number(0);
      Value y = row.loadOutput(group);
      Value scale = row.select(row.isNumber(y, zero), zero,
                               row.divide(row.loadDerivative(group), y));
      row.store(row.multiply(scale, row.load(at)), at);
    });
  }
};

/// Pools along one axis of an image.
struct Axis {
  int64_t input, size, step;
  int64_t count() const { return (input - size) / step + 1; }
  /// Largest number of pools that contain a pixel.
  int64_t overlap() const { return llvm::divideCeil(size, step); }
};

/// Maxima over boxes of an image whose z axis is fastest (spec: components.md
/// 6.44). Lanes are pools along z.
struct MaxpoolingModel : public Base<MaxpoolingModel, MaxpoolingOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  /// The pixel offsets of a large pool, which is not unrolled.
  SmallVector<SmallVector<int64_t>> getKernelIndexes(Operation *op) const {
    SmallVector<int64_t> pixels = getPixels(cast<MaxpoolingOp>(op));
    if (isLarge(pixels))
      return {pixels};
    return {};
  }
  void emitRow(Operation *op, RowEmission &row) const;

private:
  static bool isLarge(ArrayRef<int64_t> pixels) {
    return int64_t(pixels.size()) > kMaxGroup;
  }
  static SmallVector<int64_t> getPixels(MaxpoolingOp pool);
};

/// Each pixel gets the sum of the derivatives of the pools whose maximum it is.
struct MaxpoolingBackward
    : public BackwardBase<MaxpoolingBackward, MaxpoolingOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const;
};

} // namespace

void PnormModel::emitSmall(PnormOp pnorm, RowEmission &row) {
  const int64_t group = getGroup(pnorm);
  ScalarArithmetic &a = row;
  row.forEach(pnorm.getOutputDim(), [&](Value c) {
    Value first = a.scale(c, group);
    auto square = [&](Value column) {
      Value x = a.widen(row.load(column));
      return a.multiply(x, x);
    };
    Value sum = a.loop(a.index(1), a.index(group), square(first),
                       [&](Value k, ValueRange before) -> SmallVector<Value> {
                         return {a.add(before[0], square(a.shift(first, k)))};
                       })[0];
    row.store(a.sqrt(a.narrow(sum)), c);
  });
}

void PnormModel::emitLarge(PnormOp pnorm, RowEmission &row) {
  const int64_t size = getGroup(pnorm);
  ScalarArithmetic &a = row;
  row.forEachOf(pnorm.getOutputDim(), 1, [&](Value group, Value c) {
    Value begin = a.scale(group, size);
    Value sum =
        row.sumBetween(begin, a.shift(begin, size), size, [&](Value column) {
          Value x = a.widen(row.load(column));
          return a.multiply(x, x);
        });
    row.store(a.sqrt(sum), a.shift(group, c));
  });
}

static Axis getX(MaxpoolingOp pool) {
  return {int64_t(pool.getInputXDim()), int64_t(pool.getPoolXSize()),
          int64_t(pool.getPoolXStep())};
}
static Axis getY(MaxpoolingOp pool) {
  return {int64_t(pool.getInputYDim()), int64_t(pool.getPoolYSize()),
          int64_t(pool.getPoolYStep())};
}
static Axis getZ(MaxpoolingOp pool) {
  return {int64_t(pool.getInputZDim()), int64_t(pool.getPoolZSize()),
          int64_t(pool.getPoolZStep())};
}

/// Returns the offsets of a pool's pixels from its first pixel.
SmallVector<int64_t> MaxpoolingModel::getPixels(MaxpoolingOp pool) {
  const Axis x = getX(pool), y = getY(pool), z = getZ(pool);
  SmallVector<int64_t> pixels;
  for (int64_t px = 0; px < x.size; ++px)
    for (int64_t py = 0; py < y.size; ++py)
      for (int64_t pz = 0; pz < z.size; ++pz)
        pixels.push_back((px * y.input + py) * z.input + pz);
  return pixels;
}

void MaxpoolingModel::emitRow(Operation *op, RowEmission &row) const {
  auto pool = cast<MaxpoolingOp>(op);
  const Axis x = getX(pool), y = getY(pool), z = getZ(pool);
  const SmallVector<int64_t> pixels = getPixels(pool);
  ScalarArithmetic &a = row;
  row.forEachOf(x.count() * y.count(), z.count(), [&](Value box, Value c) {
    Value atX = a.quotient(box, y.count());
    Value atY = a.remainder(box, y.count());
    Value first = a.shift(a.shift(a.scale(atX, x.step * y.input * z.input),
                                  a.scale(atY, y.step * z.input)),
                          a.scale(c, z.step));
    auto largerOf = [&](Value place, Value before) {
      return a.largest(row.load(place), before);
    };
    // The initial maximum is Kaldi's.
    Value largest = largerOf(a.shift(first, pixels[0]), a.number(-1e20f));
    if (isLarge(pixels)) {
      largest = a.loop(a.index(1), a.index(pixels.size()), largest,
                       [&](Value k, ValueRange before) -> SmallVector<Value> {
                         Value place = a.shift(first, row.loadIndex(0, k));
                         return {largerOf(place, before[0])};
                       })[0];
    } else {
      for (int64_t pixel : ArrayRef(pixels).drop_front())
        largest = largerOf(a.shift(first, pixel), largest);
    }
    row.store(largest, a.shift(a.scale(box, z.count()), c));
  });
}

/// Returns candidate `which` of the pools that may contain a pixel: its number,
/// and whether it contains the pixel.
static std::pair<Value, Value> getPool(ScalarArithmetic &a, const Axis &axis,
                                       Value pixel, Value which) {
  Value number = a.minus(a.quotient(pixel, axis.step), which);
  Value isThere = a.both(a.isLess(a.index(-1), number),
                         a.isLess(number, a.index(axis.count())));
  Value isInside =
      a.isLess(a.minus(pixel, a.scale(number, axis.step)), a.index(axis.size));
  return {number, a.both(isThere, isInside)};
}

void MaxpoolingBackward::emitBackwardRow(Operation *op,
                                         RowEmission &row) const {
  auto pool = cast<MaxpoolingOp>(op);
  const Axis axes[] = {getX(pool), getY(pool), getZ(pool)};
  const int64_t pixels = axes[0].input * axes[1].input * axes[2].input;
  row.forEachOf(pixels, 1, [&](Value c, Value) {
    Value line = row.quotient(c, axes[2].input);
    const Value pixel[] = {row.quotient(line, axes[1].input),
                           row.remainder(line, axes[1].input),
                           row.remainder(c, axes[2].input)};
    Value value = row.load(c), zero = row.number(0);
    // Adds the derivatives of the pools that contain the pixel, over axes `i`
    // and later. `place` is the number of the pool along the earlier axes;
    // `holds` tells whether these contain the pixel.
    std::function<Value(unsigned, Value, Value, Value)> addPools =
        [&](unsigned i, Value place, Value holds, Value before) -> Value {
      if (i == std::size(axes)) {
        Value at = row.select(holds, place, row.index(0));
        Value isLargest = row.isNumber(value, row.loadOutput(at));
        return row.add(before, row.select(row.both(holds, isLargest),
                                          row.loadDerivative(at), zero));
      }
      auto body = [&](Value which, ValueRange sum) -> SmallVector<Value> {
        auto [number, isIn] = getPool(row, axes[i], pixel[i], which);
        return {addPools(i + 1,
                         i ? row.at(place, axes[i].count(), number) : number,
                         i ? row.both(holds, isIn) : isIn, sum[0])};
      };
      return row.loop(row.index(0), row.index(axes[i].overlap()), before,
                      body)[0];
    };
    row.store(addPools(0, Value(), Value(), zero), c);
  });
}

void mlir::nnet3::attachPoolModels(MLIRContext &context) {
  PnormOp::attachInterface<PnormModel, PnormBackward>(context);
  MaxpoolingOp::attachInterface<MaxpoolingModel, MaxpoolingBackward>(context);
  context.loadDialect<scf::SCFDialect>();
}
