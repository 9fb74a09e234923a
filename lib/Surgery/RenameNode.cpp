//===- RenameNode.cpp - Give a node another name --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3RENAMENODE
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

static LogicalResult rename(NetworkOp network, StringRef oldName,
                            StringRef newName) {
  Operation *node = findNode(network, oldName);
  if (!node)
    return emitError(network.getLoc()) << "undefined node '" << oldName << "'";
  if (!isValidName(newName))
    return emitError(network.getLoc())
           << "invalid name of a node '" << newName << "'";
  if (Operation *other = findNode(network, newName)) {
    InFlightDiagnostic diag = emitError(network.getLoc())
                              << "there is a node '" << newName << "' already";
    diag.attachNote(other->getLoc()) << "defined here";
    return diag;
  }
  node->setAttr("name", StringAttr::get(network.getContext(), newName));
  return success();
}

namespace {
struct RenameNode : public mlir::nnet3::impl::Nnet3RenameNodeBase<RenameNode> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(rename(getOperation(), oldName, newName)))
      signalPassFailure();
  }
};
} // namespace
