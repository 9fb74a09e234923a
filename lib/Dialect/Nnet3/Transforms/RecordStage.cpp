//===- RecordStage.cpp - Record a module's compile stage ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/ModuleAttributes.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3RECORDSTAGE
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct RecordStage : public nnet3::impl::Nnet3RecordStageBase<RecordStage> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void RecordStage::runOnOperation() {
  if (!llvm::is_contained(getStageNames(), stage)) {
    emitError(getOperation().getLoc())
        << "expects a stage to record, but got '" << stage << "'";
    return signalPassFailure();
  }
  // The dialect verifies both attributes.
  Builder builder(&getContext());
  getOperation()->setAttr(kStageAttr, builder.getStringAttr(stage));
  getOperation()->setAttr(kTargetAttr, builder.getStringAttr(target));
}
