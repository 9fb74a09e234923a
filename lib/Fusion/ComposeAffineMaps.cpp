//===- ComposeAffineMaps.cpp - Compose affine maps ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComposedReader.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/InputReaders.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/Passes.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3COMPOSEAFFINEMAPS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

namespace {

struct ComposeAffineMaps
    : public nnet3::impl::Nnet3ComposeAffineMapsBase<ComposeAffineMaps> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult compose(ComponentNodeOp map);

  PassCount numComposed{"maps composed with their readers"};
};

} // namespace

/// Whether reading `term` from several nodes costs no more than from one: it is
/// a row of a node, not a sum that each reader would compute.
static bool isRead(const Descriptor &term, Value except) {
  if (term.kind == Kind::Node)
    return term.value != except;
  return llvm::is_contained({Kind::Offset, Kind::Round, Kind::ReplaceIndex,
                             Kind::IfDefined, Kind::Failover},
                            term.kind) &&
         llvm::all_of(term.operands, [&](const Descriptor &operand) {
           return isRead(operand, except);
         });
}

/// Finds the nodes that read `rows`; false if one is not an affine map, or if a
/// row may be missing: a missing row is zeros, not the map's result for zeros.
static bool findReaders(Value rows, llvm::SetVector<Operation *> &readers) {
  return llvm::all_of(rows.getUsers(), [&](Operation *user) {
    if (isa<AppendOp, OffsetOp, RoundOp, ReplaceIndexOp>(user))
      return findReaders(user->getResult(0), readers);
    auto node = dyn_cast<ComponentNodeOp>(user);
    if (!node || !isPlainAffine(node))
      return false;
    readers.insert(node);
    return true;
  });
}

LogicalResult ComposeAffineMaps::compose(ComponentNodeOp map) {
  auto component = cast<ComponentOpInterface>(getComponent(map));
  llvm::SetVector<Operation *> nodes;
  if (map->use_empty() || !isPlainAffine(map) ||
      !has(component.getComponentProperties(), ComponentProperties::Simple) ||
      isSupplied(getOperation(), map.getName()) ||
      (keepInputMaps && hasInputColumns(map.getInput())) ||
      !findReaders(map.getResult(), nodes) || nodes.contains(map))
    return success();
  const std::vector<Descriptor> terms = getInputTerms(map);
  if (terms.empty() || !llvm::all_of(terms, [&](const Descriptor &term) {
        return isRead(term, map.getResult());
      }))
    return success();
  auto parameters = getAffineParameters(component);
  if (failed(parameters))
    return failure();
  SmallVector<ComposedReader> readers;
  // The map may be computed for fewer rows than its readers.
  bool readsEachRow = true;
  double gain = 0;
  for (Operation *node : nodes) {
    auto reader = ComposedReader::get(cast<ComponentNodeOp>(node), map, terms);
    if (failed(reader))
      return success();
    readsEachRow &= reader->readsEachRow();
    gain += reader->getGain();
    readers.push_back(std::move(*reader));
  }
  if (readsEachRow)
    gain += parameters->rows * getCost(terms, map.getLoc());
  bool hasRoom = llvm::all_of(readers, [&](const ComposedReader &reader) {
    return parameters->bias.empty() ||
           cast<AffineKernelInterface>(getComponent(reader.getNode()))
               .getBiasName();
  });
  if (gain <= 0 || !hasRoom)
    return success();
  for (ComposedReader &reader : readers)
    if (failed(reader.apply(*parameters)))
      return failure();
  if (map->use_empty()) {
    Value input = map.getInput();
    map.erase();
    component.erase();
    eraseUnusedDescriptors(input);
  }
  ++numComposed;
  return success();
}

void ComposeAffineMaps::runOnOperation() {
  if (!isEditable(getOperation()))
    return;
  for (auto node : llvm::make_early_inc_range(
           getOperation().getBody().getOps<ComponentNodeOp>()))
    if (failed(compose(node)))
      return signalPassFailure();
}
