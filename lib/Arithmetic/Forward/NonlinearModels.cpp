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
};

/// Spec: components.md 6.6.
struct ReluBackward
    : public NonlinearBackward<ReluBackward, RectifiedLinearOp> {
  static Value emit(ScalarArithmetic &a, Value y, Value dy) {
    Value zero = a.number(0);
    return a.selectGreater(y, zero, dy, zero);
  }
  bool readsSigns(Operation *) const { return true; }
  Value emitFromSign(Operation *, ScalarArithmetic &a, Value sign,
                     Value dy) const {
    return emit(a, sign, dy);
  }
};

/// Spec: components.md 6.17.
struct SigmoidBackward : public NonlinearBackward<SigmoidBackward, SigmoidOp> {
  static Value emit(RowEmission &row, Value y, Value dy) {
    return row.multiply(dy, row.multiply(y, row.subtract(row.number(1), y)));
  }
};

/// Spec: components.md 6.18.
struct TanhBackward : public NonlinearBackward<TanhBackward, TanhOp> {
  static Value emit(RowEmission &row, Value y, Value dy) {
    return row.multiply(dy, row.subtract(row.number(1), row.multiply(y, y)));
  }
};

} // namespace

void mlir::nnet3::attachNonlinearModels(MLIRContext &context) {
  RectifiedLinearOp::attachInterface<ReluModel, ReluBackward>(context);
  SigmoidOp::attachInterface<SigmoidModel, SigmoidBackward>(context);
  TanhOp::attachInterface<TanhModel, TanhBackward>(context);
}
