//===- SetDropoutProportion.cpp - Set the dropout proportion --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SETDROPOUTPROPORTION
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct SetDropoutProportion
    : public mlir::nnet3::impl::Nnet3SetDropoutProportionBase<
          SetDropoutProportion> {
  using Base::Base;
  void runOnOperation() override {
    if (!(proportion >= 0 && proportion <= 1)) {
      emitError(getOperation().getLoc())
          << "expects a proportion between 0 and 1, but got "
          << formatReal(proportion);
      return signalPassFailure();
    }
    static constexpr StringRef name = "dropout_proportion";
    auto value = FloatAttr::get(Float32Type::get(&getContext()),
                                static_cast<float>(proportion));
    for (auto component : findComponents(getOperation(), pattern))
      if (mayHave(component, name))
        component->setAttr(name, value);
  }
};
} // namespace
