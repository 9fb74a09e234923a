//===- RewriteCommands.cpp - Patterns on commands -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Optimize/RewriteCommands.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

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
  Counter counter;
  walkAndApplyPatterns(computation, std::move(patterns), &counter);
  return counter.count;
}
