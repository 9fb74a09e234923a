//===- RequestOps.cpp - Requests ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::nnet3;

static bool isBlank(const Index &index) { return index.isBlank(); }

/// Verifies a request for blocks of sequences: rows must be in blocks, and no
/// result may depend on all sequences.
static LogicalResult verifyBlocks(RequestOp request) {
  std::optional<int64_t> blockSize = request.getBlockSize();
  if (!blockSize)
    return success();
  if (!request.isForward())
    return request.emitOpError("expects no derivatives and no statistics of "
                               "blocks of sequences");
  const int64_t sequences = request.getSequences().size();
  if (sequences == 0)
    return request.emitOpError("expects the rows of one sequence after the "
                               "other, the same for all");
  if (sequences % *blockSize != 0)
    return request.emitOpError("expects blocks that divide ")
           << sequences << " sequences, but got blocks of " << *blockSize;
  return success();
}

LogicalResult RequestOp::verifyRegions() {
  if (getBody().getNumArguments() != 0)
    return emitOpError("expects a body without arguments");
  llvm::StringMap<Operation *> inputs, outputs;
  bool wantsDerivative = getNeedModelDerivative(), givesDerivative = false;
  for (Operation &op : getBody().front()) {
    bool isInput = isa<RequestInputOp>(op);
    if (!isInput && !isa<RequestOutputOp>(op))
      return op.emitOpError("does not belong in a request");
    StringRef name = op.getAttrOfType<StringAttr>("name").getValue();
    auto [entry, inserted] =
        (isInput ? inputs : outputs).try_emplace(name, &op);
    if (!inserted) {
      InFlightDiagnostic diag = op.emitOpError("node '")
                                << name << "' is listed twice";
      diag.attachNote(entry->second->getLoc()) << "first listed here";
      return diag;
    }
    auto indexes = op.getAttrOfType<IndexesAttr>("indexes");
    if (indexes.isExplicit() && llvm::any_of(indexes.expand(), isBlank))
      return op.emitOpError("expects indexes without blank ones");
    bool hasDeriv = op.hasAttr("has_deriv");
    (isInput ? wantsDerivative : givesDerivative) |= hasDeriv;
  }
  if (inputs.empty() || outputs.empty())
    return emitOpError("expects at least one input and one output");
  if (wantsDerivative && !givesDerivative)
    return emitOpError(
        "asks for derivatives, but no output supplies a derivative");
  return verifyBlocks(*this);
}

ArrayRef<int32_t> RequestOp::getSequences() {
  ArrayRef<int32_t> sequences;
  for (Operation &io : getBody().front()) {
    auto indexes = io.getAttrOfType<IndexesAttr>("indexes");
    if (indexes.isExplicit() || indexes.getOrder() != RowOrder::NT ||
        (!sequences.empty() && indexes.getN() != sequences))
      return {};
    sequences = indexes.getN();
  }
  return sequences;
}

int64_t RequestOp::getNumBlocks() {
  std::optional<int64_t> blockSize = getBlockSize();
  return blockSize ? int64_t(getSequences().size()) / *blockSize : 1;
}

bool RequestOp::isForward() {
  return !getNeedModelDerivative() && !getStoreComponentStats() &&
         llvm::none_of(getBody().front(),
                       [](Operation &io) { return io.hasAttr("has_deriv"); });
}

LogicalResult RequestOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto network =
      symbolTable.lookupNearestSymbolFrom<NetworkOp>(*this, getNetworkAttr());
  if (!network)
    return emitOpError("refers to an undefined network ") << getNetworkAttr();
  llvm::StringMap<Operation *> nodes;
  for (Operation &op : network.getBody().front())
    if (auto name = op.getAttrOfType<StringAttr>("name"))
      nodes[name.getValue()] = &op;
  for (Operation &op : getBody().front()) {
    StringRef name = op.getAttrOfType<StringAttr>("name").getValue();
    Operation *node = nodes.lookup(name);
    if (isa<RequestInputOp>(op)) {
      if (!isa_and_nonnull<InputNodeOp, ComponentNodeOp>(node))
        return op.emitOpError("expects an input node or component node, but "
                              "the network has none named '")
               << name << "'";
    } else if (!isa_and_nonnull<OutputNodeOp>(node)) {
      return op.emitOpError(
                 "expects an output node, but the network has none named '")
             << name << "'";
    }
  }
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/RequestOps.cpp.inc"
