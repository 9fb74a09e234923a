//===- ConstantBackwardModels.cpp - Components that look at no input ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.21, 6.37, 6.38. The input has no part in the output, so
// it gets no derivative.
//
//===----------------------------------------------------------------------===//

#include "Forward/KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

template <typename Model, typename OpTy>
struct Base : public BackwardKernelInterface::ExternalModel<Model, OpTy> {
  bool hasInputDerivative(Operation *) const { return false; }
  void emitBackwardRow(Operation *, BackwardEmission &) const {}
};

template <typename OpTy>
struct ConstantModel : public Base<ConstantModel<OpTy>, OpTy> {
  SmallVector<StringRef> getSums(Operation *) const { return {"output"}; }
  int64_t getSumColumns(Operation *op, unsigned) const {
    return cast<OpTy>(op).getOutputDim();
  }
  Value emitSum(Operation *, BackwardEmission &row, unsigned, Value c) const {
    return row.loadDerivative(c);
  }
};

struct MaskModel : public Base<MaskModel, DropoutMaskOp> {};

} // namespace

void mlir::nnet3::attachConstantBackwardModels(MLIRContext &context) {
  ConstantOp::attachInterface<ConstantModel<ConstantOp>>(context);
  ConstantFunctionOp::attachInterface<ConstantModel<ConstantFunctionOp>>(
      context);
  DropoutMaskOp::attachInterface<MaskModel>(context);
}
