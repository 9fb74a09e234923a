//===- PoolModels.cpp - Components that combine groups of columns ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"
#include "RowArithmetic.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Larger groups and pools have loops over their columns.
static constexpr int64_t kMaxGroup = 64;

namespace {

template <typename Model, typename OpTy>
using Base = RowKernelInterface::ExternalModel<Model, OpTy>;

/// The 2-norm of each group (spec: components.md 6.39). Of small groups, a loop
/// over columns is one over groups.
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

/// Pools in one direction of an image.
struct Axis {
  int64_t input, size, step;
  int64_t count() const { return (input - size) / step + 1; }
};

/// Maxima over boxes of an image, z fastest (spec: components.md 6.44). Lanes
/// are pools along z.
struct MaxpoolingModel : public Base<MaxpoolingModel, MaxpoolingOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  /// The pixels of a large pool.
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

} // namespace

void PnormModel::emitSmall(PnormOp pnorm, RowEmission &row) {
  const int64_t group = getGroup(pnorm);
  OpBuilder &builder = row.getBuilder();
  RowArithmetic a(row);
  row.forEach(pnorm.getOutputDim(), [&](Value c) {
    Value first = a.scale(c, group);
    auto square = [&](Value column) {
      Value x = a.widen(row.load(column));
      return a.multiply(x, x);
    };
    auto sum = scf::ForOp::create(
        builder, row.getLoc(), a.index(1), a.index(group), a.index(1),
        square(first),
        [&](OpBuilder &, Location loc, Value k, ValueRange before) {
          Value all = a.add(before[0], square(a.shift(first, k)));
          scf::YieldOp::create(builder, loc, all);
        });
    row.store(a.sqrt(a.narrow(sum.getResult(0))), c);
  });
}

void PnormModel::emitLarge(PnormOp pnorm, RowEmission &row) {
  const int64_t size = getGroup(pnorm);
  RowArithmetic a(row);
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

/// How far behind its first pixel each of a pool is.
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
  OpBuilder &builder = row.getBuilder();
  Location loc = row.getLoc();
  RowArithmetic a(row);
  row.forEachOf(x.count() * y.count(), z.count(), [&](Value box, Value c) {
    Value numY = a.index(y.count());
    Value atX = arith::DivUIOp::create(builder, loc, box, numY);
    Value atY = arith::RemUIOp::create(builder, loc, box, numY);
    Value first = a.shift(a.shift(a.scale(atX, x.step * y.input * z.input),
                                  a.scale(atY, y.step * z.input)),
                          a.scale(c, z.step));
    auto largerOf = [&](Value place, Value before) {
      return a.largest(row.load(place), before);
    };
    // What the reference's maxima begin with, in each lane.
    Value largest = largerOf(a.shift(first, pixels[0]), a.number(-1e20f));
    if (isLarge(pixels)) {
      auto loop = scf::ForOp::create(
          builder, loc, a.index(1), a.index(pixels.size()), a.index(1), largest,
          [&](OpBuilder &, Location loc, Value k, ValueRange before) {
            Value place = a.shift(first, row.loadIndex(0, k));
            scf::YieldOp::create(builder, loc, largerOf(place, before[0]));
          });
      largest = loop.getResult(0);
    } else {
      for (int64_t pixel : ArrayRef(pixels).drop_front())
        largest = largerOf(a.shift(first, pixel), largest);
    }
    row.store(largest, a.shift(a.scale(box, z.count()), c));
  });
}

void mlir::nnet3::attachPoolModels(MLIRContext &context) {
  PnormOp::attachInterface<PnormModel>(context);
  MaxpoolingOp::attachInterface<MaxpoolingModel>(context);
  context.loadDialect<scf::SCFDialect>();
}
