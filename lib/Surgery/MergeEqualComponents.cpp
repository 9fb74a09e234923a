//===- MergeEqualComponents.cpp - Compute equal layers once ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Kaldi/TensorData.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3MERGEEQUALCOMPONENTS
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct MergeEqualComponents
    : public mlir::nnet3::impl::Nnet3MergeEqualComponentsBase<
          MergeEqualComponents> {
  using Base::Base;
  void runOnOperation() override;

private:
  bool counts(ComponentOpInterface component, NamedAttribute attribute) const;
  FailureOr<bool> describe(ComponentOpInterface component,
                           std::string &text) const;
  LogicalResult mergeComponents();
  bool mergeNodes();

  PassCount numComponents{"components merged with equal ones"};
  PassCount numNodes{"nodes merged with equal ones"};
};
} // namespace

/// Returns true if merged components must agree in `attribute`.
bool MergeEqualComponents::counts(ComponentOpInterface component,
                                  NamedAttribute attribute) const {
  if (attribute.getName() == SymbolTable::getSymbolAttrName())
    return false;
  // In test mode batch norm computes with its statistics, so they count.
  if (!inference || isBatchNorm(component))
    return true;
  if (llvm::is_contained(getTrainingAttributes(component), attribute) ||
      attribute.getName() == "count")
    return false;
  return llvm::none_of(component.getTensors(), [&](const TensorSpec &spec) {
    return !spec.isParameter && spec.name == attribute.getName().getValue();
  });
}

/// Appends a description of a component to `text`, including the bytes of its
/// tensors: equal components have equal descriptions. Returns false if it
/// cannot be merged.
FailureOr<bool> MergeEqualComponents::describe(ComponentOpInterface component,
                                               std::string &text) const {
  if (component->getNumRegions() > 0 || isInTrainingMode(component))
    return false;
  llvm::raw_string_ostream os(text);
  os << component->getName();
  for (NamedAttribute attribute : component->getAttrDictionary()) {
    if (!counts(component, attribute))
      continue;
    os << "\n" << attribute.getName().getValue() << "=";
    auto tensor = dyn_cast<ElementsAttr>(attribute.getValue());
    if (!tensor) {
      os << attribute.getValue();
      continue;
    }
    std::vector<float> storage;
    auto values = getTensorData(tensor, storage);
    if (!values)
      return component->emitError("has no values of its ")
             << attribute.getName().getValue();
    os << tensor.getShapedType();
    os.write(reinterpret_cast<const char *>(values->data()),
             values->size() * sizeof(float));
  }
  return true;
}

LogicalResult MergeEqualComponents::mergeComponents() {
  llvm::StringMap<StringAttr> known;
  llvm::DenseMap<StringAttr, StringAttr> merged;
  for (ComponentOpInterface component : findComponents(getOperation(), "*")) {
    std::string text;
    FailureOr<bool> canMerge = describe(component, text);
    if (failed(canMerge))
      return failure();
    if (!*canMerge)
      continue;
    StringAttr name = SymbolTable::getSymbolName(component);
    auto [first, isNew] = known.try_emplace(text, name);
    if (!isNew)
      merged[name] = first->second;
  }
  for (auto node : getOperation().getOps<ComponentNodeOp>())
    if (StringAttr first = merged.lookup(node.getComponentAttr().getAttr()))
      node.setComponentAttr(FlatSymbolRefAttr::get(first));
  numComponents += merged.size();
  return success();
}

/// Describes the computation of a node; empty for nodes that are not merged.
static std::string describeNode(NetworkOp network, Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto node = dyn_cast<ComponentNodeOp>(op)) {
    ComponentOpInterface component =
        findComponent(network, node.getComponent());
    if (isInTrainingMode(component))
      return "";
    os << node.getComponent() << "(";
    print(readDescriptor(node.getInput()), os);
  } else if (auto range = dyn_cast<DimRangeNodeOp>(op)) {
    print(readDescriptor(range.getSource()), os);
    os << "[" << range.getDimOffset() << "+"
       << range.getResult().getType().getDim();
  }
  return text;
}

/// Replaces equal nodes by the first of them.
bool MergeEqualComponents::mergeNodes() {
  llvm::StringMap<Operation *> known;
  bool changed = false;
  for (Operation &op :
       llvm::make_early_inc_range(getOperation().getBody().front())) {
    const std::string text = describeNode(getOperation(), &op);
    if (text.empty())
      continue;
    auto [first, isNew] = known.try_emplace(text, &op);
    if (isNew)
      continue;
    op.getResult(0).replaceAllUsesWith(first->second->getResult(0));
    op.erase();
    ++numNodes;
    changed = true;
  }
  return changed;
}

void MergeEqualComponents::runOnOperation() {
  if (failed(mergeComponents()))
    return signalPassFailure();
  while (mergeNodes()) {
  }
  removeOrphanNodes(getOperation(), /*removesInputs=*/false);
  removeOrphanComponents(getOperation());
}
