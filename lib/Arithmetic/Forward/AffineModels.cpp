//===- AffineModels.cpp - Components that multiply with a matrix ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns one term of all columns for each time offset.
static SmallVector<AffineTerm> getWholeRows(int64_t columns, int64_t times) {
  SmallVector<AffineTerm> terms;
  for (int64_t time = 0; time < times; ++time)
    terms.push_back({time, 0, time * columns, columns});
  return terms;
}

namespace {

template <typename OpTy>
struct AffineModel
    : public AffineKernelInterface::ExternalModel<AffineModel<OpTy>, OpTy> {
  SmallVector<AffineTerm> getTerms(Operation *op, int64_t) const {
    return getWholeRows(cast<OpTy>(op).getInputDim(), 1);
  }
};

struct TdnnModel
    : public AffineKernelInterface::ExternalModel<TdnnModel, TdnnOp> {
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
  LinearOp::attachInterface<AffineModel<LinearOp>>(context);
  TdnnOp::attachInterface<TdnnModel>(context);
}
