//===- SetLearningRate.cpp - Set learning rates ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SETLEARNINGRATE
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Sets the learning rate of a component, and of the parts of a composite, to
/// `rate` times their factors.
static void setRate(Operation *component, float rate) {
  if (!has(cast<ComponentOpInterface>(component).getComponentProperties(),
           ComponentProperties::Updatable))
    return;
  auto factor = component->getAttrOfType<FloatAttr>("learning_rate_factor");
  if (factor)
    rate *= static_cast<float>(factor.getValueAsDouble());
  Builder builder(component->getContext());
  component->setAttr("learning_rate", builder.getF32FloatAttr(rate));
  for (Region &parts : component->getRegions())
    for (auto part : parts.getOps<ComponentOpInterface>())
      setRate(part, rate);
}

namespace {
struct SetLearningRate
    : public mlir::nnet3::impl::Nnet3SetLearningRateBase<SetLearningRate> {
  using Base::Base;
  void runOnOperation() override {
    if (!(learningRate >= 0)) {
      emitError(getOperation().getLoc())
          << "expects a learning rate of at least 0, but got "
          << formatReal(learningRate);
      return signalPassFailure();
    }
    for (auto component : findComponents(getOperation(), pattern))
      setRate(component, static_cast<float>(learningRate));
  }
};
} // namespace
