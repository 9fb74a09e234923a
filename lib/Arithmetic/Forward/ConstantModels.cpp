//===- ConstantModels.cpp - Components that look at no input --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"
#include "RowArithmetic.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

template <typename Model, typename OpTy>
using Base = RowKernelInterface::ExternalModel<Model, OpTy>;

/// The same row everywhere (spec: components.md 6.37, 6.38).
template <typename OpTy>
struct ConstantModel : public Base<ConstantModel<OpTy>, OpTy> {
  unsigned getNumKernelVectors(Operation *) const { return 1; }
  FailureOr<SmallVector<SmallVector<float>>>
  getKernelVectors(Operation *op) const {
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

/// A mask that is not drawn (spec: components.md 6.21).
struct DropoutMaskModel : public Base<DropoutMaskModel, DropoutMaskOp> {
  bool isRowKernel(Operation *op, bool) const {
    auto mask = cast<DropoutMaskOp>(op);
    return mask.getTestMode() || mask.getDropoutProportion().isZero();
  }
  void emitRow(Operation *op, RowEmission &row) const {
    auto mask = cast<DropoutMaskOp>(op);
    RowArithmetic a(row);
    Value kept =
        a.number(mask.getContinuous()
                     ? 1
                     : 1 - mask.getDropoutProportion().convertToFloat());
    row.forEach(mask.getOutputDim(), [&](Value c) { row.store(kept, c); });
  }
};

} // namespace

void mlir::nnet3::attachConstantModels(MLIRContext &context) {
  ConstantOp::attachInterface<ConstantModel<ConstantOp>>(context);
  ConstantFunctionOp::attachInterface<ConstantModel<ConstantFunctionOp>>(
      context);
  DropoutMaskOp::attachInterface<DropoutMaskModel>(context);
}
