//===- BypassIdentities.cpp - Bypass identity components ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3BYPASSIDENTITIES
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// A slice of the columns of an identity's input.
struct Term {
  Value rows;
  int64_t first;
  int64_t end() const { return first + getDim(rows); }
};

struct BypassIdentities
    : public nnet3::impl::Nnet3BypassIdentitiesBase<BypassIdentities> {
  void runOnOperation() override;

private:
  Value getRoot(Value rows);
  bool isBypassable(ComponentNodeOp node, ArrayRef<Term> terms);

  PassCount numBypassed{"nodes bypassed"};
};

} // namespace

static bool isIdentity(ComponentNodeOp node) {
  auto step = dyn_cast<ElementwiseKernelInterface>(getComponent(node));
  return step && step.isElementwise() && step.isIdentity();
}

static void addTerms(Value rows, int64_t first, SmallVectorImpl<Term> &terms) {
  auto append = rows.getDefiningOp<AppendOp>();
  if (!append)
    return terms.push_back({rows, first});
  for (Value part : append.getParts()) {
    addTerms(part, first, terms);
    first += getDim(part);
  }
}

static bool isNode(Value rows) {
  return isa<InputNodeOp, ComponentNodeOp, DimRangeNodeOp>(
      rows.getDefiningOp());
}

/// Follows simple components and dim-ranges to the first node whose computable
/// rows are those of the node `rows`; null if a request may supply rows on the
/// way.
Value BypassIdentities::getRoot(Value rows) {
  while (true) {
    Operation *op = rows.getDefiningOp();
    if (auto range = dyn_cast<DimRangeNodeOp>(op)) {
      rows = range.getSource();
      continue;
    }
    auto node = dyn_cast<ComponentNodeOp>(op);
    if (!node)
      return rows;
    if (isSupplied(getOperation(), node.getName()))
      return {};
    auto component = cast<ComponentOpInterface>(getComponent(node));
    if (!has(component.getComponentProperties(), ComponentProperties::Simple) ||
        !isNode(node.getInput()) || node.getInput() == node.getResult())
      return rows;
    rows = node.getInput();
  }
}

/// Returns the term that contains the columns of `range` and is a node, so that
/// `range` can read it directly; null if there is none.
static const Term *findTerm(DimRangeNodeOp range, ArrayRef<Term> terms) {
  const int64_t first = range.getDimOffset();
  const int64_t end = first + getDim(range.getResult());
  const Term *term = llvm::find_if(
      terms, [&](const Term &t) { return t.first <= first && end <= t.end(); });
  return term != terms.end() && isNode(term->rows) ? term : nullptr;
}

/// Returns the node that `rows` reads with other times; null if there is none.
static Value getNode(Value rows) {
  while (isa<OffsetOp, RoundOp, ReplaceIndexOp>(rows.getDefiningOp()))
    rows = rows.getDefiningOp()->getOperand(0);
  return isNode(rows) ? rows : Value();
}

bool BypassIdentities::isBypassable(ComponentNodeOp node,
                                    ArrayRef<Term> terms) {
  if (isSupplied(getOperation(), node.getName()) ||
      !isReadByNodes(node.getResult()))
    return false;
  for (const Term &term : terms) {
    Value source = getNode(term.rows);
    if (!source || source == node.getResult())
      return false;
  }
  // With several terms, a row is computable if all terms are, so bypassing must
  // not change the set of computable rows.
  if (terms.size() > 1) {
    Value root;
    for (const Term &term : terms) {
      Value next = isNode(term.rows) ? getRoot(term.rows) : Value();
      if (!next || (root && next != root))
        return false;
      root = next;
    }
  }
  return llvm::all_of(node.getResult().getUsers(), [&](Operation *user) {
    auto range = dyn_cast<DimRangeNodeOp>(user);
    return !range || findTerm(range, terms);
  });
}

/// Lets `range` read its columns from `term`.
static void readFrom(DimRangeNodeOp range, const Term &term) {
  Value source = term.rows;
  int64_t offset = range.getDimOffset() - term.first;
  if (auto outer = source.getDefiningOp<DimRangeNodeOp>()) {
    source = outer.getSource();
    offset += outer.getDimOffset();
  }
  range.getSourceMutable().assign(source);
  range.setDimOffset(offset);
}

void BypassIdentities::runOnOperation() {
  NetworkOp network = getOperation();
  if (!isEditable(network))
    return;
  for (auto node : llvm::make_early_inc_range(
           network.getBody().getOps<ComponentNodeOp>())) {
    if (!isIdentity(node))
      continue;
    SmallVector<Term> terms;
    addTerms(node.getInput(), 0, terms);
    if (!isBypassable(node, terms))
      continue;
    for (Operation *user : llvm::make_early_inc_range(node->getUsers()))
      if (auto range = dyn_cast<DimRangeNodeOp>(user))
        readFrom(range, *findTerm(range, terms));
    node.getResult().replaceAllUsesWith(node.getInput());
    Value input = node.getInput();
    node.erase();
    eraseUnusedDescriptors(input);
    ++numBypassed;
  }
}
