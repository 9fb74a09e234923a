//===- CollapseModel.cpp - Merge neighbouring components ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CollapseRules.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3COLLAPSEMODEL
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Collapsing normally takes fewer sweeps. More changes than this mean an
/// endless recurrence.
static constexpr int kMaxSweeps = 10;

/// Returns the node of a term `node` or `Offset(node, t)`; null for any other
/// term. With `ignoresScale`, `Scale(a, node)` counts as `node`.
static const Descriptor *getLeaf(const Descriptor &term, bool ignoresScale) {
  const Descriptor *leaf = &term;
  if (leaf->kind == Descriptor::Kind::Offset)
    leaf = &leaf->operands.front();
  if (ignoresScale && leaf->kind == Descriptor::Kind::Scale)
    leaf = &leaf->operands.front();
  return leaf->kind == Descriptor::Kind::Node ? leaf : nullptr;
}

/// Returns the component node that all appended terms of `input` read; null if
/// they read others.
static ComponentNodeOp getOnlySource(const Descriptor &input,
                                     bool ignoresScale) {
  ArrayRef<Descriptor> terms = input;
  if (input.kind == Descriptor::Kind::Append)
    terms = input.operands;
  ComponentNodeOp source;
  for (const Descriptor &term : terms) {
    const Descriptor *leaf = getLeaf(term, ignoresScale);
    if (!leaf)
      return nullptr;
    auto node = leaf->value.getDefiningOp<ComponentNodeOp>();
    if (!node || (source && source != node))
      return nullptr;
    source = node;
  }
  return source;
}

/// Replaces the leaves of `descriptor`, which all read the same node, by
/// `replacement`.
static void replaceLeaves(Descriptor &descriptor,
                          const Descriptor &replacement) {
  if (descriptor.kind == Descriptor::Kind::Node) {
    descriptor = replacement;
    return;
  }
  for (Descriptor &operand : descriptor.operands)
    replaceLeaves(operand, replacement);
}

namespace {
struct CollapseModel
    : public mlir::nnet3::impl::Nnet3CollapseModelBase<CollapseModel> {
  using Base::Base;
  void runOnOperation() override;

private:
  /// Returns true if the network has changed.
  FailureOr<bool> sweep(CollapseRules &rules);
  FailureOr<bool> collapse(ComponentNodeOp node, CollapseRules &rules);
  LogicalResult substitute(ComponentNodeOp node, Descriptor input,
                           ComponentNodeOp source,
                           ComponentOpInterface combined);

  PassCount numMerged{"components merged"};
};
} // namespace

/// Makes `node` apply `combined` to the input of `source`.
LogicalResult CollapseModel::substitute(ComponentNodeOp node, Descriptor input,
                                        ComponentNodeOp source,
                                        ComponentOpInterface combined) {
  replaceLeaves(input, readDescriptor(source.getInput()));
  FailureOr<Descriptor> normal = normalize(
      input, [&](LocationAttr) { return mlir::emitError(node.getLoc()); });
  if (failed(normal))
    return failure();
  OpBuilder builder(node);
  node.getInputMutable().assign(
      buildDescriptor(builder, *normal, node.getLoc()));
  node.setComponentAttr(
      FlatSymbolRefAttr::get(SymbolTable::getSymbolName(combined)));
  ++numMerged;
  return success();
}

FailureOr<bool> CollapseModel::collapse(ComponentNodeOp node,
                                        CollapseRules &rules) {
  Descriptor input = readDescriptor(node.getInput());
  ComponentNodeOp source = getOnlySource(input, reference);
  if (!source || source == node)
    return false;
  ComponentOpInterface first =
      findComponent(getOperation(), source.getComponent());
  ComponentOpInterface second =
      findComponent(getOperation(), node.getComponent());
  const int64_t copies =
      second.getComponentInputDim() / first.getComponentOutputDim();
  auto combined = rules.combine(first, second, copies);
  if (failed(combined))
    return failure();
  if (!*combined)
    return false;
  if (failed(substitute(node, std::move(input), source, *combined)))
    return failure();
  return true;
}

FailureOr<bool> CollapseModel::sweep(CollapseRules &rules) {
  bool changed = false;
  for (auto node : llvm::to_vector(getOperation().getOps<ComponentNodeOp>())) {
    FailureOr<bool> result = collapse(node, rules);
    if (failed(result))
      return failure();
    changed |= *result;
  }
  return changed;
}

void CollapseModel::runOnOperation() {
  CollapseRules rules(getOperation(),
                      {dropout, batchNorm, affine, scale, reference});
  for (int sweeps = 0;; ++sweeps) {
    FailureOr<bool> changed = sweep(rules);
    if (failed(changed))
      return signalPassFailure();
    if (!*changed)
      break;
    if (sweeps < kMaxSweeps)
      continue;
    getOperation().emitError("expects at most ")
        << kMaxSweeps << " sweeps to merge all components";
    return signalPassFailure();
  }
  removeOrphanNodes(getOperation(), /*removesInputs=*/false);
  removeOrphanComponents(getOperation());
}
