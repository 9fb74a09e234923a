//===- ApplyEdits.cpp - Applying edit directives --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/Edits.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::nnet3;

LogicalResult mlir::nnet3::applyEdits(NetworkOp network, ArrayRef<Edit> edits) {
  // The passes report errors about the network at its location, so it is set to
  // that of the directive meanwhile.
  llvm::scope_exit restore(
      [network, loc = network.getLoc()]() mutable { network->setLoc(loc); });
  for (const Edit &edit : edits) {
    network->setLoc(edit.loc);
    PassManager passes(network.getContext(), network.getOperationName());
    std::string message;
    llvm::raw_string_ostream os(message);
    if (failed(parsePassPipeline(edit.pass, passes, os)))
      return emitError(edit.loc) << "not a pass: " << message;
    if (failed(passes.run(network)))
      return failure();
  }
  if (network.getOps<InputNodeOp>().empty())
    return emitError(network.getLoc())
           << "expects an input node to remain, but there is none";
  return success();
}

void mlir::nnet3::printPipeline(ArrayRef<Edit> edits, raw_ostream &os) {
  os << "builtin.module(nnet3.network(";
  llvm::interleave(edits, os, [&](const Edit &edit) { os << edit.pass; }, ",");
  os << "))";
}

LogicalResult mlir::nnet3::editNodes(NetworkOp network,
                                     const ConfigSource &edits) {
  auto all = readEdits(edits, network.getContext());
  if (failed(all))
    return failure();
  llvm::erase_if(*all, [](const Edit &edit) { return !edit.changesNodes; });
  return applyEdits(network, *all);
}
