//===- CheckComputation.cpp - Check the accesses of a computation ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckComputation.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/UnrollLoops.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3CHECKCOMPUTATION
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

int32_t mlir::nnet3::getMarker(const CommandAnalysis &analysis) {
  int32_t marker = -1;
  for (int32_t c = 0; c < analysis.getNumCommands(); ++c) {
    if (!isa<NoOperationMarkerOp>(analysis.getCommand(c)))
      continue;
    if (marker >= 0)
      return -1;
    marker = c;
  }
  return marker;
}

namespace {
struct CheckComputation
    : public nnet3::impl::Nnet3CheckComputationBase<CheckComputation> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(getOperation().getBody().getOps<LoopOp>().empty()
                   ? check(getAnalysis<CommandAnalysis>())
                   : checkRounds()))
      signalPassFailure();
  }

private:
  /// Checks loops in unrolled form.
  LogicalResult checkRounds() {
    OwningOpRef<ComputationOp> rounds(getOperation().clone());
    unrollLoops(*rounds);
    CommandAnalysis analysis(*rounds, getOperation());
    return check(analysis);
  }

  /// Later checks rely on properties that earlier ones have checked.
  LogicalResult check(CommandAnalysis &analysis) {
    bool commandsFail = failed(checkComponents(analysis));
    commandsFail |= failed(checkMemos(analysis));
    commandsFail |= failed(checkCopies(analysis));
    if (commandsFail || failed(checkMatrices(analysis)) ||
        failed(checkCompression(analysis)) ||
        failed(checkUndefined(analysis, checkUnusedVariables)) ||
        failed(checkDebugInfo(analysis)))
      return failure();
    return checkRewrites ? checkRewrite(analysis) : success();
  }
};
} // namespace
