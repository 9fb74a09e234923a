//===- ScaleModels.cpp - Scales and offsets of columns as code ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

using ColumnConstants = SmallVector<SmallVector<float>>;

namespace {

template <typename Model, typename OpTy>
using Base = ElementwiseKernelInterface::ExternalModel<Model, OpTy>;
template <typename Model, typename OpTy>
using BackwardBase = BackwardKernelInterface::ExternalModel<Model, OpTy>;

/// y = s x with one scale per column.
template <typename OpTy>
struct ScaleModel : public Base<ScaleModel<OpTy>, OpTy> {
  unsigned getNumColumnConstants(Operation *) const { return 1; }
  FailureOr<ColumnConstants> getColumnConstants(Operation *op) const {
    auto scales = getTensorVector(op, "scales", cast<OpTy>(op).getDim());
    if (failed(scales))
      return failure();
    return ColumnConstants{*scales};
  }
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange vectors) const {
    return arith::MulFOp::create(builder, loc, x, vectors[0]);
  }
};

StringRef getOffsetsName(FixedBiasOp) { return "bias"; }
StringRef getOffsetsName(PerElementOffsetOp) { return "offsets"; }

/// y = x + b.
template <typename OpTy>
struct OffsetModel : public Base<OffsetModel<OpTy>, OpTy> {
  unsigned getNumColumnConstants(Operation *) const { return 1; }
  FailureOr<ColumnConstants> getColumnConstants(Operation *op) const {
    auto component = cast<OpTy>(op);
    auto offsets =
        getTensorVector(op, getOffsetsName(component), component.getDim());
    if (failed(offsets))
      return failure();
    return ColumnConstants{*offsets};
  }
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange vectors) const {
    return arith::AddFOp::create(builder, loc, x, vectors[0]);
  }
};

/// y = s x + b: base class of components with scales and offsets.
template <typename Model, typename OpTy>
struct ScaleOffsetModel : public Base<Model, OpTy> {
  unsigned getNumColumnConstants(Operation *) const { return 2; }
  bool isScaleAndOffset(Operation *) const { return true; }
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange vectors) const {
    return math::FmaOp::create(builder, loc, x, vectors[0], vectors[1]);
  }
};

/// Scales are at least 1e-4 in magnitude (spec: components.md 6.14).
struct ScaleAndOffsetModel
    : public ScaleOffsetModel<ScaleAndOffsetModel, ScaleAndOffsetOp> {
  FailureOr<ColumnConstants> getColumnConstants(Operation *op) const {
    const int64_t dim = cast<ScaleAndOffsetOp>(op).getDim();
    auto scales = getTensorVector(op, "scales", dim);
    auto offsets = getTensorVector(op, "offsets", dim);
    if (failed(scales) || failed(offsets))
      return failure();
    // The backward pass reads the original scales as a third vector.
    const SmallVector<float> original = *scales;
    const float least = 1e-4f;
    for (float &scale : *scales)
      if (std::fabs(scale) < least)
        scale = scale < 0 ? -least : least;
    return ColumnConstants{*scales, *offsets, original};
  }
};

/// Spec: components.md 6.7.
struct BatchNormModel : public ScaleOffsetModel<BatchNormModel, BatchNormOp> {
  bool isElementwise(Operation *op) const {
    return cast<BatchNormOp>(op).getTestMode();
  }
  FailureOr<ColumnConstants> getColumnConstants(Operation *op) const {
    auto norm = cast<BatchNormOp>(op);
    const int64_t dim = norm.getDim();
    SmallVector<float> mean(dim, 0), variance(dim, 1);
    if (norm.hasStatistics()) {
      auto means = getTensorVector(op, "stats_mean", dim);
      auto variances = getTensorVector(op, "stats_var", dim);
      if (failed(means) || failed(variances))
        return failure();
      mean = *means;
      variance = *variances;
    }
    ColumnConstants vectors(2, SmallVector<float>(dim));
    for (int64_t c = 0; c < dim; ++c) {
      const double scale = norm.computeScale(variance[c]);
      vectors[0][c] = float(scale);
      vectors[1][c] = float(-scale * mean[c]);
    }
    return vectors;
  }
};

//===----------------------------------------------------------------------===//
// Backward passes
//===----------------------------------------------------------------------===//

/// dx = s dy, where s is the first vector of per-column constants.
template <typename Model, typename OpTy>
struct ScaledBackward : public BackwardBase<Model, OpTy> {
  unsigned getNumBackwardVectors(Operation *) const { return 1; }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<OpTy>(op).getDim(), [&](Value c) {
      row.store(row.multiply(row.loadDerivative(c), row.loadVector(0, c)), c);
    });
  }
};

struct FixedScaleBackward
    : public ScaledBackward<FixedScaleBackward, FixedScaleOp> {};

/// Spec: components.md 6.7.
struct BatchNormBackward
    : public ScaledBackward<BatchNormBackward, BatchNormOp> {
  bool hasBackwardKernel(Operation *op) const {
    return cast<BatchNormOp>(op).getTestMode();
  }
};

/// The derivative of a scale is the sum of x dy over the rows.
template <typename OpTy>
struct ScaleBackward : public ScaledBackward<ScaleBackward<OpTy>, OpTy> {
  SmallVector<StringRef> getSums(Operation *) const { return {"scales"}; }
  int64_t getSumColumns(Operation *op) const { return cast<OpTy>(op).getDim(); }
  SmallVector<Value> emitSums(Operation *, RowEmission &row, Value c) const {
    return {row.multiply(row.load(c), row.loadDerivative(c))};
  }
};

/// Reductions over rows and over blocks of columns.
template <typename Model, typename OpTy>
struct BlockSums : public BackwardBase<Model, OpTy> {
  int64_t getSumColumns(Operation *op) const {
    auto component = cast<OpTy>(op);
    return component.getBlockDim().value_or(component.getDim());
  }
  int64_t getSumBlocks(Operation *op) const {
    return cast<OpTy>(op).getDim() / getSumColumns(op);
  }
};

/// Spec: components.md 6.32.
struct OffsetBackward : public BlockSums<OffsetBackward, PerElementOffsetOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<PerElementOffsetOp>(op).getDim(),
                [&](Value c) { row.store(row.loadDerivative(c), c); });
  }
  SmallVector<StringRef> getSums(Operation *) const { return {"offsets"}; }
  SmallVector<Value> emitSums(Operation *, RowEmission &row, Value c) const {
    return {row.loadDerivative(c)};
  }
};

/// The input is recomputed from the output, x = (y - b) / s (spec:
/// components.md 6.14). The forward pass raises small |s|, but dx uses the
/// original s, the third vector.
struct ScaleAndOffsetBackward
    : public BlockSums<ScaleAndOffsetBackward, ScaleAndOffsetOp> {
  unsigned getNumBackwardVectors(Operation *) const { return 3; }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<ScaleAndOffsetOp>(op).getDim(), [&](Value c) {
      row.store(row.multiply(row.loadDerivative(c), row.loadVector(2, c)), c);
    });
  }
  SmallVector<StringRef> getSums(Operation *) const {
    return {"scales", "offsets"};
  }
  SmallVector<Value> emitSums(Operation *, RowEmission &row, Value c) const {
    Value dy = row.loadDerivative(c);
    Value x = row.divide(row.subtract(row.loadOutput(c), row.loadVector(1, c)),
                         row.loadVector(0, c));
    return {row.multiply(x, dy), dy};
  }
};

/// dx = dy.
struct FixedBiasBackward : public BackwardBase<FixedBiasBackward, FixedBiasOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<FixedBiasOp>(op).getDim(),
                [&](Value c) { row.store(row.loadDerivative(c), c); });
  }
};

} // namespace

void mlir::nnet3::attachScaleModels(MLIRContext &context) {
  FixedScaleOp::attachInterface<ScaleModel<FixedScaleOp>, FixedScaleBackward>(
      context);
  PerElementScaleOp::attachInterface<ScaleModel<PerElementScaleOp>,
                                     ScaleBackward<PerElementScaleOp>>(context);
  NaturalGradientPerElementScaleOp::attachInterface<
      ScaleModel<NaturalGradientPerElementScaleOp>,
      ScaleBackward<NaturalGradientPerElementScaleOp>>(context);
  FixedBiasOp::attachInterface<OffsetModel<FixedBiasOp>, FixedBiasBackward>(
      context);
  PerElementOffsetOp::attachInterface<OffsetModel<PerElementOffsetOp>,
                                      OffsetBackward>(context);
  ScaleAndOffsetOp::attachInterface<ScaleAndOffsetModel,
                                    ScaleAndOffsetBackward>(context);
  BatchNormOp::attachInterface<BatchNormModel, BatchNormBackward>(context);
}
