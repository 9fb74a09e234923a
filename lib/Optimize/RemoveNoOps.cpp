//===- RemoveNoOps.cpp - Remove no_operation commands ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/RewriteCommands.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REMOVENOOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct RemoveNoOps : public nnet3::impl::Nnet3RemoveNoOpsBase<RemoveNoOps> {
  void runOnCommands() override {
    if (getOperation().getBody().getOps<NoOperationOp>().empty())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    NoOperationOp::getCanonicalizationPatterns(patterns, &getContext());
    if (rewriteCommands(getOperation(), std::move(patterns)) == 0)
      markAllAnalysesPreserved();
  }
};
} // namespace
