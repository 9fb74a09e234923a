//===- RemoveOutputNodes.cpp - Remove output nodes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REMOVEOUTPUTNODES
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

static LogicalResult removeOutputs(NetworkOp network, StringRef pattern) {
  SmallVector<OutputNodeOp> removed, kept;
  for (auto node : network.getOps<OutputNodeOp>())
    (matchesPattern(pattern, node.getName()) ? removed : kept).push_back(node);
  if (kept.empty())
    return emitError(network.getLoc())
           << "expects an output node to remain, but '" << pattern
           << "' matches all of them";
  if (removed.empty())
    emitWarning(network.getLoc())
        << "no output node matches '" << pattern << "'";
  for (OutputNodeOp node : removed)
    node.erase();
  return success();
}

namespace {
struct RemoveOutputNodes
    : public mlir::nnet3::impl::Nnet3RemoveOutputNodesBase<RemoveOutputNodes> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(removeOutputs(getOperation(), pattern)))
      signalPassFailure();
  }
};
} // namespace
