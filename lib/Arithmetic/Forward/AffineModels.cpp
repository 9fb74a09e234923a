//===- AffineModels.cpp - Components that multiply with a matrix ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Whole rows of each of some time offsets.
static SmallVector<AffineTerm> getWholeRows(int64_t columns, int64_t times) {
  SmallVector<AffineTerm> terms;
  for (int64_t time = 0; time < times; ++time)
    terms.push_back({time, 0, time * columns, columns});
  return terms;
}

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
  SmallVector<AffineTerm> getTerms(Operation *op, int64_t) const {
    return getWholeRows(getWeightColumns(op), 1);
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
  SmallVector<AffineTerm> getTerms(Operation *op, int64_t) const {
    return getWholeRows(getWeightColumns(op), 1);
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
  SmallVector<AffineTerm> getTerms(Operation *op, int64_t) const {
    auto tdnn = cast<TdnnOp>(op);
    return getWholeRows(tdnn.getInputDim(), tdnn.getTimeOffsets().size());
  }
};

} // namespace

void mlir::nnet3::attachAffineModels(MLIRContext &context) {
  AffineOp::attachInterface<AffineModel<AffineOp>>(context);
  NaturalGradientAffineOp::attachInterface<
      AffineModel<NaturalGradientAffineOp>>(context);
  FixedAffineOp::attachInterface<AffineModel<FixedAffineOp>>(context);
  LinearOp::attachInterface<LinearModel>(context);
  TdnnOp::attachInterface<TdnnModel>(context);
}
