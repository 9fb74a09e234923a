//===- KernelModels.cpp - Components that have generated code -------------===//

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/KernelInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::nnet3;

#include "nnet3/Fusion/KernelInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Affine components
//===----------------------------------------------------------------------===//

namespace {

/// Weights and bias in `linear_params` and `bias_params`.
template <typename OpTy>
struct AffineModel
    : public AffineKernelInterface::ExternalModel<AffineModel<OpTy>, OpTy> {
  StringAttr getWeightsName(Operation *op) const {
    return StringAttr::get(op->getContext(), "linear_params");
  }
  StringAttr getBiasName(Operation *op) const {
    return StringAttr::get(op->getContext(), "bias_params");
  }
  int64_t getWeightColumns(Operation *op) const {
    return cast<OpTy>(op).getInputDim();
  }
};

struct LinearModel
    : public AffineKernelInterface::ExternalModel<LinearModel, LinearOp> {
  StringAttr getWeightsName(Operation *op) const {
    return StringAttr::get(op->getContext(), "params");
  }
  StringAttr getBiasName(Operation *) const { return {}; }
  int64_t getWeightColumns(Operation *op) const {
    return cast<LinearOp>(op).getInputDim();
  }
};

struct TdnnModel
    : public AffineKernelInterface::ExternalModel<TdnnModel, TdnnOp> {
  StringAttr getWeightsName(Operation *op) const {
    return StringAttr::get(op->getContext(), "linear_params");
  }
  StringAttr getBiasName(Operation *op) const {
    return cast<TdnnOp>(op).getUseBias()
               ? StringAttr::get(op->getContext(), "bias_params")
               : StringAttr();
  }
  int64_t getWeightColumns(Operation *op) const {
    auto tdnn = cast<TdnnOp>(op);
    return tdnn.getInputDim() * tdnn.getTimeOffsets().size();
  }
};

//===----------------------------------------------------------------------===//
// Elementwise components
//===----------------------------------------------------------------------===//

/// A number, for every element of what `x` has.
Value createSplat(OpBuilder &builder, Location loc, Value x, float value) {
  auto type = x.getType();
  TypedAttr attr = builder.getF32FloatAttr(value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(builder, loc, type, attr);
}

/// max(x, 0); 0 where x is not a number, as the interpreter has it.
struct ReluModel
    : public ElementwiseKernelInterface::ExternalModel<ReluModel,
                                                       RectifiedLinearOp> {
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange) const {
    Value zero = createSplat(builder, loc, x, 0);
    Value positive = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OGT, x, zero);
    return arith::SelectOp::create(builder, loc, positive, x, zero);
  }
};

/// y = x.
template <typename OpTy>
struct IdentityModel
    : public ElementwiseKernelInterface::ExternalModel<IdentityModel<OpTy>,
                                                       OpTy> {
  Value emitElementwise(Operation *, OpBuilder &, Location, Value x,
                        ValueRange) const {
    return x;
  }
};

/// The values of a tensor; fails if there are none in memory.
FailureOr<SmallVector<float>> getValues(ElementsAttr tensor) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(tensor))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) {
      auto values = blob->getDataAs<float>();
      return SmallVector<float>(values.begin(), values.end());
    }
  auto range = tensor.tryGetValues<float>();
  if (!range)
    return failure();
  return SmallVector<float>(range->begin(), range->end());
}

/// y = scale x + offset (spec: components.md 6.7).
struct BatchNormModel
    : public ElementwiseKernelInterface::ExternalModel<BatchNormModel,
                                                       BatchNormOp> {
  bool isElementwise(Operation *op) const {
    return cast<BatchNormOp>(op).getTestMode();
  }
  unsigned getNumKernelVectors(Operation *) const { return 2; }

  FailureOr<SmallVector<SmallVector<float>>>
  getKernelVectors(Operation *op) const {
    auto norm = cast<BatchNormOp>(op);
    const int64_t dim = norm.getDim();
    const int64_t block = norm.getBlockDim().value_or(dim);
    SmallVector<float> mean(block, 0), variance(block, 1);
    if (norm.getStatsMeanAttr() && norm.getCount().convertToDouble() > 0) {
      FailureOr<SmallVector<float>> means = getValues(norm.getStatsMeanAttr());
      FailureOr<SmallVector<float>> vars = getValues(norm.getStatsVarAttr());
      if (failed(means) || failed(vars))
        return failure();
      mean = *means;
      variance = *vars;
    }
    const double rms = norm.getTargetRms().convertToFloat();
    const double epsilon = norm.getEpsilon().convertToFloat();
    SmallVector<SmallVector<float>> vectors(2, SmallVector<float>(dim));
    for (int64_t c = 0; c < dim; ++c) {
      double scale = rms / std::sqrt(std::max(0.0f, variance[c % block]) + epsilon);
      vectors[0][c] = float(scale);
      vectors[1][c] = float(-scale * mean[c % block]);
    }
    return vectors;
  }

  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange vectors) const {
    return math::FmaOp::create(builder, loc, x, vectors[0], vectors[1]);
  }
};

} // namespace

void mlir::nnet3::registerKernelModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, Nnet3Dialect *) {
    AffineOp::attachInterface<AffineModel<AffineOp>>(*context);
    NaturalGradientAffineOp::attachInterface<
        AffineModel<NaturalGradientAffineOp>>(*context);
    FixedAffineOp::attachInterface<AffineModel<FixedAffineOp>>(*context);
    LinearOp::attachInterface<LinearModel>(*context);
    TdnnOp::attachInterface<TdnnModel>(*context);
    RectifiedLinearOp::attachInterface<ReluModel>(*context);
    NoOpOp::attachInterface<IdentityModel<NoOpOp>>(*context);
    BatchNormOp::attachInterface<BatchNormModel>(*context);
    context->loadDialect<arith::ArithDialect, math::MathDialect>();
  });
}
