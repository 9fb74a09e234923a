//===- PoolModels.cpp - Components that combine groups of columns ---------===//

#include "KernelModels.h"
#include "RowArithmetic.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/KernelInterfaces.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Columns are loaded one by one for larger groups and pools, by which the
/// runtime's loops over neighbouring columns are as fast.
static constexpr int64_t kMaxGroup = 64;

namespace {

template <typename Model, typename OpTy>
using Base = RowKernelInterface::ExternalModel<Model, OpTy>;

/// The 2-norm of each group (spec: components.md 6.39); lanes are groups.
struct PnormModel : public Base<PnormModel, PnormOp> {
  static int64_t getGroup(PnormOp op) {
    return op.getInputDim() / op.getOutputDim();
  }
  bool isRowKernel(Operation *op, bool device) const {
    return device || getGroup(cast<PnormOp>(op)) <= kMaxGroup;
  }
  bool isColumnwise(Operation *) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    auto pnorm = cast<PnormOp>(op);
    const int64_t group = getGroup(pnorm);
    OpBuilder &builder = row.getBuilder();
    RowArithmetic a(row);
    row.forEach(pnorm.getOutputDim(), [&](Value c) {
      Value first = a.scale(c, group);
      auto square = [&](Value column) {
        Value x = a.widen(row.load(column, group));
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
};

/// Pools in one direction of an image.
struct Axis {
  int64_t input, size, step;
  int64_t count() const { return (input - size) / step + 1; }
};

/// Maxima over boxes of an image, z fastest (spec: components.md 6.44). Lanes
/// are pools along z.
struct MaxpoolingModel : public Base<MaxpoolingModel, MaxpoolingOp> {
  bool isRowKernel(Operation *op, bool device) const {
    auto pool = cast<MaxpoolingOp>(op);
    return device ||
           pool.getPoolXSize() * pool.getPoolYSize() * pool.getPoolZSize() <=
               kMaxGroup;
  }
  bool isColumnwise(Operation *) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    auto pool = cast<MaxpoolingOp>(op);
    const Axis x = {int64_t(pool.getInputXDim()), int64_t(pool.getPoolXSize()),
                    int64_t(pool.getPoolXStep())};
    const Axis y = {int64_t(pool.getInputYDim()), int64_t(pool.getPoolYSize()),
                    int64_t(pool.getPoolYStep())};
    const Axis z = {int64_t(pool.getInputZDim()), int64_t(pool.getPoolZSize()),
                    int64_t(pool.getPoolZStep())};
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
      // What the reference's maxima begin with.
      Value largest = a.number(-1e20f);
      for (int64_t px = 0; px < x.size; ++px)
        for (int64_t py = 0; py < y.size; ++py)
          for (int64_t pz = 0; pz < z.size; ++pz) {
            const int64_t pixel = (px * y.input + py) * z.input + pz;
            largest =
                a.larger(row.load(a.shift(first, pixel), z.step), largest);
          }
      row.store(largest, a.shift(a.scale(box, z.count()), c));
    });
  }
};

} // namespace

void mlir::nnet3::attachPoolModels(MLIRContext &context) {
  PnormOp::attachInterface<PnormModel>(context);
  MaxpoolingOp::attachInterface<MaxpoolingModel>(context);
  context.loadDialect<scf::SCFDialect>();
}
