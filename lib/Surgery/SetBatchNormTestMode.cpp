//===- SetBatchNormTestMode.cpp - Set the mode of batch normalisation -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
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
    getOperation()->walk(
        [&](BatchNormOp component) { component.setTestModeAttr(value); });
  }
};
} // namespace
