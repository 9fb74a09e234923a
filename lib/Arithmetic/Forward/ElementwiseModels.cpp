//===- ElementwiseModels.cpp - Elementwise components as code -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

using KernelVectors = SmallVector<SmallVector<float>>;

namespace {

template <typename Model, typename OpTy>
using Base = ElementwiseKernelInterface::ExternalModel<Model, OpTy>;

//===----------------------------------------------------------------------===//
// Nonlinearities
//===----------------------------------------------------------------------===//

/// max(x, 0). NaN stays NaN, which an instruction gives as well that returns
/// its second operand, x, where it finds NaN.
struct ReluModel : public Base<ReluModel, RectifiedLinearOp> {
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange) const {
    Value zero = createSplat(builder, loc, x, 0);
    Value isNegative =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, zero, x);
    return arith::SelectOp::create(builder, loc, isNegative, zero, x);
  }
};

struct SigmoidModel : public Base<SigmoidModel, SigmoidOp> {
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange) const {
    return createSigmoid(builder, loc, x);
  }
};

struct TanhModel : public Base<TanhModel, TanhOp> {
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange) const {
    return math::TanhOp::create(builder, loc, x);
  }
};

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

bool isIdentity(NoOpOp) { return true; }
bool isIdentity(ClipGradientOp) { return true; }
bool isIdentity(GeneralDropoutOp op) {
  return op.getTestMode() || (op.getDropoutProportion().isZero() &&
                              op.getSpecaugmentMaxProportion().isZero());
}
bool isIdentity(SpecAugmentTimeMaskOp op) {
  return op.getTestMode() || op.getZeroedProportion().isZero();
}

/// y = x, or nothing of the kind.
template <typename OpTy>
struct IdentityModel : public Base<IdentityModel<OpTy>, OpTy> {
  bool isElementwise(Operation *op) const { return isIdentity(op); }
  bool isIdentity(Operation *op) const { return ::isIdentity(cast<OpTy>(op)); }
  Value emitElementwise(Operation *, OpBuilder &, Location, Value x,
                        ValueRange) const {
    return x;
  }
};

//===----------------------------------------------------------------------===//
// Scales and offsets
//===----------------------------------------------------------------------===//

/// y = s x, the same for all columns.
template <typename Model, typename OpTy>
struct ScalarModel : public Base<Model, OpTy> {
  bool isIdentity(Operation *op) const {
    return Model::getScale(cast<OpTy>(op)) == 1;
  }
  unsigned getNumKernelVectors(Operation *) const { return 1; }
  FailureOr<KernelVectors> getKernelVectors(Operation *op) const {
    auto component = cast<OpTy>(op);
    return KernelVectors{
        SmallVector<float>(component.getDim(), Model::getScale(component))};
  }
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange vectors) const {
    return arith::MulFOp::create(builder, loc, x, vectors[0]);
  }
};

/// Spec: components.md 6.16.
struct TruncationModel
    : public ScalarModel<TruncationModel, BackpropTruncationOp> {
  static float getScale(BackpropTruncationOp op) {
    return op.getScale().convertToFloat();
  }
};

struct DropoutModel : public ScalarModel<DropoutModel, DropoutOp> {
  bool isElementwise(Operation *op) const {
    return cast<DropoutOp>(op).getTestMode() ||
           cast<DropoutOp>(op).getDropoutProportion().isZero();
  }
  static float getScale(DropoutOp op) {
    return 1 - op.getDropoutProportion().convertToFloat();
  }
};

/// y = s x with a number for each column.
template <typename OpTy>
struct ScaleModel : public Base<ScaleModel<OpTy>, OpTy> {
  unsigned getNumKernelVectors(Operation *) const { return 1; }
  FailureOr<KernelVectors> getKernelVectors(Operation *op) const {
    auto scales = getTensorVector(op, "scales", cast<OpTy>(op).getDim());
    if (failed(scales))
      return failure();
    return KernelVectors{*scales};
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
  unsigned getNumKernelVectors(Operation *) const { return 1; }
  FailureOr<KernelVectors> getKernelVectors(Operation *op) const {
    auto component = cast<OpTy>(op);
    auto offsets =
        getTensorVector(op, getOffsetsName(component), component.getDim());
    if (failed(offsets))
      return failure();
    return KernelVectors{*offsets};
  }
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange vectors) const {
    return arith::AddFOp::create(builder, loc, x, vectors[0]);
  }
};

/// y = s x + b, the base of those that are.
template <typename Model, typename OpTy>
struct ScaleOffsetModel : public Base<Model, OpTy> {
  unsigned getNumKernelVectors(Operation *) const { return 2; }
  bool isScaleAndOffset(Operation *) const { return true; }
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange vectors) const {
    return math::FmaOp::create(builder, loc, x, vectors[0], vectors[1]);
  }
};

/// Scales are at least 1e-4 in magnitude (spec: components.md 6.14).
struct ScaleAndOffsetModel
    : public ScaleOffsetModel<ScaleAndOffsetModel, ScaleAndOffsetOp> {
  FailureOr<KernelVectors> getKernelVectors(Operation *op) const {
    const int64_t dim = cast<ScaleAndOffsetOp>(op).getDim();
    auto scales = getTensorVector(op, "scales", dim);
    auto offsets = getTensorVector(op, "offsets", dim);
    if (failed(scales) || failed(offsets))
      return failure();
    // The backward pass takes the scales as they are: a third vector.
    const SmallVector<float> original = *scales;
    const float least = 1e-4f;
    for (float &scale : *scales)
      if (std::fabs(scale) < least)
        scale = scale < 0 ? -least : least;
    return KernelVectors{*scales, *offsets, original};
  }
};

/// Spec: components.md 6.7.
struct BatchNormModel : public ScaleOffsetModel<BatchNormModel, BatchNormOp> {
  bool isElementwise(Operation *op) const {
    return cast<BatchNormOp>(op).getTestMode();
  }
  FailureOr<KernelVectors> getKernelVectors(Operation *op) const {
    auto norm = cast<BatchNormOp>(op);
    const int64_t dim = norm.getDim();
    SmallVector<float> mean(dim, 0), variance(dim, 1);
    if (norm.getStatsMeanAttr() && norm.getCount().convertToDouble() > 0) {
      auto means = getTensorVector(op, "stats_mean", dim);
      auto variances = getTensorVector(op, "stats_var", dim);
      if (failed(means) || failed(variances))
        return failure();
      mean = *means;
      variance = *variances;
    }
    const double rms = norm.getTargetRms().convertToFloat();
    const double epsilon = norm.getEpsilon().convertToFloat();
    KernelVectors vectors(2, SmallVector<float>(dim));
    for (int64_t c = 0; c < dim; ++c) {
      const float floored = variance[c] < 0 ? 0 : variance[c]; // NaN stays
      double scale = rms / std::sqrt(floored + epsilon);
      vectors[0][c] = float(scale);
      vectors[1][c] = float(-scale * mean[c]);
    }
    return vectors;
  }
};

} // namespace

template <template <typename> typename Model, typename... OpTys>
static void attach(MLIRContext &context) {
  (OpTys::template attachInterface<Model<OpTys>>(context), ...);
}

void mlir::nnet3::attachElementwiseModels(MLIRContext &context) {
  RectifiedLinearOp::attachInterface<ReluModel>(context);
  SigmoidOp::attachInterface<SigmoidModel>(context);
  TanhOp::attachInterface<TanhModel>(context);
  attach<IdentityModel, NoOpOp, ClipGradientOp, GeneralDropoutOp,
         SpecAugmentTimeMaskOp>(context);
  BackpropTruncationOp::attachInterface<TruncationModel>(context);
  DropoutOp::attachInterface<DropoutModel>(context);
  attach<ScaleModel, FixedScaleOp, PerElementScaleOp,
         NaturalGradientPerElementScaleOp>(context);
  attach<OffsetModel, FixedBiasOp, PerElementOffsetOp>(context);
  ScaleAndOffsetOp::attachInterface<ScaleAndOffsetModel>(context);
  BatchNormOp::attachInterface<BatchNormModel>(context);
}
