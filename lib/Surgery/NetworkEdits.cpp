//===- NetworkEdits.cpp - Nodes and components of networks ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

bool mlir::nnet3::matchesPattern(StringRef pattern, StringRef name) {
  auto [first, rest] = pattern.split('*');
  if (first.size() == pattern.size())
    return pattern == name;
  if (!name.consume_front(first))
    return false;
  // Match each part at its first occurrence; the last part must match the end.
  while (rest.contains('*')) {
    auto [part, others] = rest.split('*');
    size_t found = name.find(part);
    if (found == StringRef::npos)
      return false;
    name = name.drop_front(found + part.size());
    rest = others;
  }
  return name.ends_with(rest);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

StringAttr mlir::nnet3::getNodeName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringAttr>(op)
      .Case<InputNodeOp, ComponentNodeOp, DimRangeNodeOp, OutputNodeOp>(
          [](auto node) { return node.getNameAttr(); })
      .Default(StringAttr());
}

Operation *mlir::nnet3::findNode(NetworkOp network, StringRef name) {
  for (Operation &op : network.getBody().front())
    if (StringAttr nodeName = getNodeName(&op); nodeName && nodeName == name)
      return &op;
  return nullptr;
}

StringRef mlir::nnet3::getComponentName(ComponentOpInterface component) {
  return SymbolTable::getSymbolName(component).getValue();
}

SmallVector<ComponentOpInterface>
mlir::nnet3::findComponents(NetworkOp network, StringRef pattern) {
  SmallVector<ComponentOpInterface> found;
  for (auto component : network.getOps<ComponentOpInterface>())
    if (matchesPattern(pattern, getComponentName(component)))
      found.push_back(component);
  return found;
}

ComponentOpInterface mlir::nnet3::findComponent(NetworkOp network,
                                                StringRef name) {
  return dyn_cast_or_null<ComponentOpInterface>(
      SymbolTable::lookupSymbolIn(network, name));
}

bool mlir::nnet3::mayHave(Operation *component, StringRef attribute) {
  return llvm::is_contained(
      component->getName().getAttributeNames(),
      StringAttr::get(component->getContext(), attribute));
}

bool mlir::nnet3::isBatchNorm(ComponentOpInterface component) {
  return mayHave(component, kTestModeAttr) &&
         !has(component.getComponentProperties(), ComponentProperties::Random);
}

//===----------------------------------------------------------------------===//
// New components
//===----------------------------------------------------------------------===//

void mlir::nnet3::setInsertionPointAfterComponents(OpBuilder &builder,
                                                   NetworkOp network) {
  Block &body = network.getBody().front();
  builder.setInsertionPointToStart(&body);
  for (auto component : network.getOps<ComponentOpInterface>())
    builder.setInsertionPointAfter(component);
}

SmallVector<NamedAttribute> mlir::nnet3::getTrainingAttributes(Operation *op) {
  static constexpr StringRef names[] = {"learning_rate", "learning_rate_factor",
                                        "max_change", "l2_regularize"};
  SmallVector<NamedAttribute> attributes;
  for (StringRef name : names)
    if (Attribute value = op->getAttr(name))
      attributes.emplace_back(StringAttr::get(op->getContext(), name), value);
  return attributes;
}

//===----------------------------------------------------------------------===//
// Orphans
//===----------------------------------------------------------------------===//

void mlir::nnet3::removeOrphanNodes(NetworkOp network, bool removesInputs) {
  SmallVector<Operation *> open;
  DenseSet<Operation *> needed;
  for (Operation &op : network.getBody().front())
    if (isa<OutputNodeOp>(op) || (isa<InputNodeOp>(op) && !removesInputs))
      open.push_back(&op);
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!needed.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      open.push_back(operand.getDefiningOp());
  }
  SmallVector<Operation *> orphans;
  for (Operation &op : network.getBody().front())
    if (op.getNumResults() > 0 && !needed.contains(&op))
      orphans.push_back(&op);
  // Recurrences are cycles, so drop all uses before erasing.
  for (Operation *op : orphans)
    op->dropAllReferences();
  for (Operation *op : orphans)
    op->erase();
}

void mlir::nnet3::removeOrphanComponents(NetworkOp network) {
  DenseSet<StringAttr> used;
  for (auto node : network.getOps<ComponentNodeOp>())
    used.insert(node.getComponentAttr().getAttr());
  for (ComponentOpInterface component : findComponents(network, "*"))
    if (!used.contains(SymbolTable::getSymbolName(component)))
      component->erase();
}
