//===- SetTestMode.cpp - Put components in test mode ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SETTESTMODE
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct SetTestMode : public nnet3::impl::Nnet3SetTestModeBase<SetTestMode> {
  void runOnOperation() override {
    auto on = BoolAttr::get(&getContext(), true);
    for (Operation &op : getOperation().getBody().front()) {
      if (!isInTrainingMode(&op))
        continue;
      op.setAttr(kTestModeAttr, on);
      ++numComponents;
    }
  }

private:
  PassCount numComponents{"components put in test mode"};
};
} // namespace
