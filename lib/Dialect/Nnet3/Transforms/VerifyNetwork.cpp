//===- VerifyNetwork.cpp - Check a network as a whole ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3VERIFYNETWORK
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Verifies that the descriptor that feeds a node has a normal form whose parts
/// pass the checks (descriptors.md 5 and 8).
static LogicalResult verifyDescriptor(Operation *node, Value input) {
  auto emitError = [&](LocationAttr loc) {
    InFlightDiagnostic diag = mlir::emitError(
        loc ? Location(loc) : node->getLoc(), "descriptor of node '");
    diag << node->getAttrOfType<StringAttr>("name").getValue() << "': ";
    return diag;
  };
  FailureOr<Descriptor> normal = normalize(readDescriptor(input), emitError);
  if (failed(normal))
    return failure();
  return verifyParts(*normal, emitError);
}

/// Returns the operations that some output node depends on, including output
/// nodes.
static DenseSet<Operation *> findUsed(NetworkOp network) {
  SmallVector<Operation *> pending;
  for (auto output : network.getOps<OutputNodeOp>())
    pending.push_back(output);
  DenseSet<Operation *> used(pending.begin(), pending.end());
  while (!pending.empty())
    for (Value operand : pending.pop_back_val()->getOperands())
      if (used.insert(operand.getDefiningOp()).second)
        pending.push_back(operand.getDefiningOp());
  return used;
}

static void warnAboutUnused(NetworkOp network) {
  DenseSet<Operation *> used = findUsed(network);
  DenseSet<StringAttr> usedComponents;
  for (auto node : network.getOps<ComponentNodeOp>())
    usedComponents.insert(node.getComponentAttr().getAttr());
  for (Operation &op : network.getBody().front()) {
    if (auto component = dyn_cast<ComponentOpInterface>(op)) {
      StringAttr name = cast<SymbolOpInterface>(op).getNameAttr();
      if (!usedComponents.contains(name))
        op.emitWarning("component '")
            << name.getValue() << "' is used by no node";
    } else if (auto name = op.getAttrOfType<StringAttr>("name")) {
      if (!used.contains(&op))
        op.emitWarning("no output depends on node '") << name.getValue() << "'";
    }
  }
}

static LogicalResult verifyNetwork(NetworkOp network) {
  if (network.getOps<InputNodeOp>().empty())
    return network.emitOpError("expects at least one input node");
  if (network.getOps<OutputNodeOp>().empty())
    return network.emitOpError("expects at least one output node");
  bool isRight = true;
  for (Operation &op : network.getBody().front())
    if (isa<ComponentNodeOp, OutputNodeOp>(op))
      isRight &= succeeded(verifyDescriptor(&op, op.getOperand(0)));
  if (!isRight)
    return failure();
  warnAboutUnused(network);
  return success();
}

namespace {
struct VerifyNetwork
    : public nnet3::impl::Nnet3VerifyNetworkBase<VerifyNetwork> {
  void runOnOperation() override {
    if (failed(verifyNetwork(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
