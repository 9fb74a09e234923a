//===- SetBatchNormTestMode.cpp - Set the mode of batch normalisation -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SETBATCHNORMTESTMODE
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct SetBatchNormTestMode
    : public mlir::nnet3::impl::Nnet3SetBatchNormTestModeBase<
          SetBatchNormTestMode> {
  using Base::Base;
  void runOnOperation() override {
    auto value = BoolAttr::get(&getContext(), testMode);
    for (auto component : getOperation().getOps<ComponentOpInterface>())
      if (isBatchNorm(component))
        component->setAttr(kTestModeAttr, value);
  }
};
} // namespace
