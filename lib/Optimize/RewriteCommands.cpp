//===- RewriteCommands.cpp - Patterns on commands -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Optimize/RewriteCommands.h"

#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct Counter : public RewriterBase::Listener {
  void notifyOperationErased(Operation *) override { ++count; }
  void notifyOperationModified(Operation *) override { ++count; }

  int64_t count = 0;
};
} // namespace

int64_t mlir::nnet3::rewriteCommands(ComputationOp computation,
                                     RewritePatternSet patterns) {
  const FrozenRewritePatternSet frozen(std::move(patterns));
  // Most commands have no patterns.
  const auto &ofNames = frozen.getOpSpecificNativePatterns();
  SmallVector<Operation *> commands;
  computation.walk([&](Operation *op) {
    if (ofNames.contains(op->getName()))
      commands.push_back(op);
  });
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  Counter counter;
  PatternRewriter rewriter(computation.getContext());
  rewriter.setListener(&counter);
  for (Operation *op : commands) {
    rewriter.setInsertionPoint(op);
    (void)applicator.matchAndRewrite(op, rewriter);
  }
  return counter.count;
}
