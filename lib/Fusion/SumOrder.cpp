//===- SumOrder.cpp - The order of the terms of affine maps ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SumOrder.h"
#include "ComposedReader.h"
#include "NetworkEdits.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

static bool dependsOn(const Descriptor &term, Operation *target) {
  if (term.kind == Kind::Node)
    return dependsOn(term.value.getDefiningOp(), target);
  return llvm::any_of(term.operands, [&](const Descriptor &operand) {
    return dependsOn(operand, target);
  });
}

/// Whether neighbouring output rows read the same row of `term`. This includes
/// Round, by which a stream reads the i-vector of an utterance.
static bool isShared(const Descriptor &term) {
  if (term.kind == Kind::Node)
    return false;
  return term.kind == Kind::Round ||
         (term.kind == Kind::ReplaceIndex &&
          term.variable == IndexVariable::T) ||
         llvm::all_of(term.operands, isShared);
}

static SumGroup getGroup(const Descriptor &term, ComponentNodeOp node) {
  if (dependsOn(term, node))
    return SumGroup::Recurrent;
  return isShared(term) ? SumGroup::Shared : SumGroup::Plain;
}

SumOrder::SumOrder(ComponentOpInterface component) : component(component) {
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  const int64_t columns = affine.getWeightColumns();
  groups.assign(columns, SumGroup::Plain);
  begins.resize(columns);
  // Parts of a composite component have no nodes.
  auto network = dyn_cast<NetworkOp>(component->getParentOp());
  if (!network)
    return;
  for (auto node : network.getBody().getOps<ComponentNodeOp>())
    if (getComponent(node) == component.getOperation()) {
      if (begins.none())
        groups.assign(columns, SumGroup::Shared);
      addNode(node);
    }
}

void SumOrder::addNode(ComponentNodeOp node) {
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  auto addColumns = [&](int64_t first, int64_t count, SumGroup group) {
    for (int64_t block = 0; block < affine.getNumBlocks(); ++block)
      for (const AffineTerm &part : affine.getTerms(block)) {
        const int64_t begin = std::max(first, part.input);
        const int64_t end = std::min(first + count, part.input + part.columns);
        if (begin >= end)
          continue;
        const int64_t column = part.weights + begin - part.input;
        begins.set(column);
        for (SumGroup &known :
             MutableArrayRef(groups).slice(column, end - begin))
          known = std::max(known, group);
      }
  };
  const std::vector<Descriptor> terms = getInputTerms(node);
  if (terms.empty())
    return addColumns(0, getDim(node.getInput()), SumGroup::Recurrent);
  int64_t first = 0;
  for (const Descriptor &term : terms) {
    const int64_t columns = getTermColumns(term, node.getLoc());
    addColumns(first, columns, ::getGroup(term, node));
    first += columns;
  }
}

int64_t SumOrder::countTogether(int64_t column, int64_t count) const {
  if (uint64_t(column) >= begins.size())
    return count;
  const int next = begins.find_next(column);
  return next < 0 ? count : std::min<int64_t>(count, next - column);
}

SumOrders::SumOrders(ComputationOp computation)
    : components(std::make_unique<ComponentTable>(computation)) {}

SumOrders::~SumOrders() = default;

const SumOrder &SumOrders::get(FusedAffineOp op) {
  std::unique_ptr<SumOrder> &order = orders[op.getComponent()];
  if (!order)
    order = std::make_unique<SumOrder>(components->find(op.getComponent()));
  return *order;
}
