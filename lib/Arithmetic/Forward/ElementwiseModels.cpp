//===- ElementwiseModels.cpp - Elementwise components as code -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities, and scales that are equal for all columns.
//
//===----------------------------------------------------------------------===//

#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::nnet3;

using ColumnConstants = SmallVector<SmallVector<float>>;

namespace {

template <typename Model, typename OpTy>
using Base = ElementwiseKernelInterface::ExternalModel<Model, OpTy>;

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

/// y = x in configurations that are identities; otherwise not elementwise.
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
// Scales
//===----------------------------------------------------------------------===//

/// y = s x with one scale for all columns.
template <typename Model, typename OpTy>
struct ScalarModel : public Base<Model, OpTy> {
  bool isIdentity(Operation *op) const {
    return Model::getScale(cast<OpTy>(op)) == 1;
  }
  unsigned getNumColumnConstants(Operation *) const { return 1; }
  FailureOr<ColumnConstants> getColumnConstants(Operation *op) const {
    auto component = cast<OpTy>(op);
    return ColumnConstants{
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

//===----------------------------------------------------------------------===//
// Backward passes
//===----------------------------------------------------------------------===//

float getScale(NoOpOp op) { return op.getBackpropScale().convertToFloat(); }
// In configurations that draw no masks.
float getScale(GeneralDropoutOp) { return 1; }
float getScale(SpecAugmentTimeMaskOp) { return 1; }

/// dx = s dy.
template <typename OpTy>
struct ScalarBackward
    : public BackwardKernelInterface::ExternalModel<ScalarBackward<OpTy>,
                                                    OpTy> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto component = cast<OpTy>(op);
    row.forEach(component.getDim(), [&](Value c) {
      row.store(
          row.multiply(row.loadDerivative(c), row.number(getScale(component))),
          c);
    });
  }
  bool isBackwardIdentity(Operation *op) const {
    return getScale(cast<OpTy>(op)) == 1;
  }
};

} // namespace

template <template <typename> typename Model, typename... OpTys>
static void attach(MLIRContext &context) {
  (OpTys::template attachInterface<Model<OpTys>>(context), ...);
}

void mlir::nnet3::attachElementwiseModels(MLIRContext &context) {
  attach<IdentityModel, NoOpOp, ClipGradientOp, GeneralDropoutOp,
         SpecAugmentTimeMaskOp>(context);
  attach<ScalarBackward, NoOpOp, GeneralDropoutOp, SpecAugmentTimeMaskOp>(
      context);
  BackpropTruncationOp::attachInterface<TruncationModel>(context);
  DropoutOp::attachInterface<DropoutModel>(context);
}
