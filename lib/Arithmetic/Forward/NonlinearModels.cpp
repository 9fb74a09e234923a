//===- NonlinearModels.cpp - Nonlinearities as code -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

template <typename Model, typename OpTy>
using Base = ElementwiseKernelInterface::ExternalModel<Model, OpTy>;
template <typename Model, typename OpTy>
using BackwardBase = BackwardKernelInterface::ExternalModel<Model, OpTy>;

/// max(x, 0). NaN stays NaN: x is the second operand, which the maximum
/// instruction returns if one operand is NaN.
struct ReluModel : public Base<ReluModel, RectifiedLinearOp> {
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange) const {
    ScalarArithmetic a(builder, loc);
    return a.larger(a.splat(x, 0), x);
  }
};

struct SigmoidModel : public Base<SigmoidModel, SigmoidOp> {
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange) const {
    return ScalarArithmetic(builder, loc).sigmoid(x);
  }
};

struct TanhModel : public Base<TanhModel, TanhOp> {
  Value emitElementwise(Operation *, OpBuilder &builder, Location loc, Value x,
                        ValueRange) const {
    return math::TanhOp::create(builder, loc, x);
  }
};

/// dx = f'(x) dy, where f'(x) is computed from y.
template <typename Model, typename OpTy>
struct NonlinearBackward : public BackwardBase<Model, OpTy> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<OpTy>(op).getDim(), [&](Value c) {
      row.store(Model::emit(row, row.loadOutput(c), row.loadDerivative(c)), c);
    });
  }
  bool isBackwardElementwise(Operation *) const { return true; }
  Value emitBackwardElement(Operation *, ScalarArithmetic &arithmetic,
                            Value output, Value derivative) const {
    return Model::emit(arithmetic, output, derivative);
  }
};

/// Spec: components.md 6.6.
struct ReluBackward
    : public NonlinearBackward<ReluBackward, RectifiedLinearOp> {
  static Value emit(ScalarArithmetic &a, Value y, Value dy) {
    Value zero = a.number(0);
    return a.selectGreater(y, zero, dy, zero);
  }
};

/// Spec: components.md 6.17.
struct SigmoidBackward : public NonlinearBackward<SigmoidBackward, SigmoidOp> {
  static Value emit(ScalarArithmetic &a, Value y, Value dy) {
    return a.multiply(dy, a.multiply(y, a.subtract(a.number(1), y)));
  }
};

/// Spec: components.md 6.18.
struct TanhBackward : public NonlinearBackward<TanhBackward, TanhOp> {
  static Value emit(ScalarArithmetic &a, Value y, Value dy) {
    return a.multiply(dy, a.subtract(a.number(1), a.multiply(y, y)));
  }
};

} // namespace

void mlir::nnet3::attachNonlinearModels(MLIRContext &context) {
  RectifiedLinearOp::attachInterface<ReluModel, ReluBackward>(context);
  SigmoidOp::attachInterface<SigmoidModel, SigmoidBackward>(context);
  TanhOp::attachInterface<TanhModel, TanhBackward>(context);
}
