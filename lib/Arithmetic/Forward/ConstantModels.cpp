//===- ConstantModels.cpp - Components that read no input -----------------===//
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
using Base = RowKernelInterface::ExternalModel<Model, OpTy>;

/// The same row for every output row (spec: components.md 6.37, 6.38).
template <typename OpTy>
struct ConstantModel : public Base<ConstantModel<OpTy>, OpTy> {
  unsigned getNumColumnConstants(Operation *) const { return 1; }
  FailureOr<SmallVector<SmallVector<float>>>
  getColumnConstants(Operation *op) const {
    auto values = getTensorVector(op, "output", cast<OpTy>(op).getOutputDim());
    if (failed(values))
      return failure();
    return SmallVector<SmallVector<float>>{*values};
  }
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<OpTy>(op).getOutputDim(),
                [&](Value c) { row.store(row.loadVector(0, c), c); });
  }
};

/// A mask without random numbers (spec: components.md 6.21).
struct DropoutMaskModel : public Base<DropoutMaskModel, DropoutMaskOp> {
  bool isRowKernel(Operation *op, bool) const {
    auto mask = cast<DropoutMaskOp>(op);
    return mask.getTestMode() || mask.getDropoutProportion().isZero();
  }
  void emitRow(Operation *op, RowEmission &row) const {
    auto mask = cast<DropoutMaskOp>(op);
    ScalarArithmetic &a = row;
    Value kept =
        a.number(mask.getContinuous()
                     ? 1
                     : 1 - mask.getDropoutProportion().convertToFloat());
    row.forEach(mask.getOutputDim(), [&](Value c) { row.store(kept, c); });
  }
};

/// The output does not depend on the input, so there is no input derivative.
template <typename Model, typename OpTy>
struct NoDerivative
    : public BackwardKernelInterface::ExternalModel<Model, OpTy> {
  bool hasInputDerivative(Operation *) const { return false; }
  void emitBackwardRow(Operation *, RowEmission &) const {}
};

template <typename OpTy>
struct ConstantBackward : public NoDerivative<ConstantBackward<OpTy>, OpTy> {
  SmallVector<StringRef> getSums(Operation *) const { return {"output"}; }
  int64_t getSumColumns(Operation *op) const {
    return cast<OpTy>(op).getOutputDim();
  }
  SmallVector<Value> emitSums(Operation *, RowEmission &row, Value c) const {
    return {row.loadDerivative(c)};
  }
};

struct DropoutMaskBackward
    : public NoDerivative<DropoutMaskBackward, DropoutMaskOp> {};

} // namespace

template <typename OpTy> static void attachConstant(MLIRContext &context) {
  OpTy::template attachInterface<ConstantModel<OpTy>, ConstantBackward<OpTy>>(
      context);
}

void mlir::nnet3::attachConstantModels(MLIRContext &context) {
  attachConstant<ConstantOp>(context);
  attachConstant<ConstantFunctionOp>(context);
  DropoutMaskOp::attachInterface<DropoutMaskModel, DropoutMaskBackward>(
      context);
}
