//===- SetLearningRateFactor.cpp - Set learning rate factors --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SETLEARNINGRATEFACTOR
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct SetLearningRateFactor
    : public mlir::nnet3::impl::Nnet3SetLearningRateFactorBase<
          SetLearningRateFactor> {
  using Base::Base;
  void runOnOperation() override {
    if (!(factor >= 0)) {
      emitError(getOperation().getLoc())
          << "expects a factor of at least 0, but got " << formatReal(factor);
      return signalPassFailure();
    }
    Builder builder(&getContext());
    for (auto component : findComponents(getOperation(), pattern))
      if (has(component.getComponentProperties(),
              ComponentProperties::Updatable))
        component->setAttr("learning_rate_factor",
                           builder.getF32FloatAttr(float(factor)));
  }
};
} // namespace
