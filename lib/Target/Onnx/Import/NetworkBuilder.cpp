//===- NetworkBuilder.cpp - Components and nodes of a new network ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkBuilder.h"
#include "nnet3/Target/Kaldi/ComponentSteps.h"
#include "nnet3/Target/Kaldi/TensorData.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

NetworkBuilder::NetworkBuilder(NetworkOp network)
    : network(network), components(network.getContext()),
      nodes(OpBuilder::atBlockEnd(&network.getBody().front())) {}

std::string NetworkBuilder::makeName(StringRef wanted) {
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '.';
  name = StringRef(name).trim('.').str();
  if (!isValidName(name))
    name = "_" + name;
  std::string result = name;
  for (int i = 1; !names.insert(result).second; ++i)
    result = name + "_" + std::to_string(i);
  return result;
}

Descriptor NetworkBuilder::getNode(StringRef name, Value value) {
  Descriptor node;
  node.name = name.str();
  node.value = value;
  return node;
}

Descriptor NetworkBuilder::addInput(Location loc, StringRef name, int64_t dim) {
  auto type = RowsType::get(network.getContext(), dim);
  auto input = InputNodeOp::create(nodes, loc, type, nodes.getStringAttr(name));
  // Components are inserted before the nodes.
  if (!components.getInsertionBlock())
    components.setInsertionPoint(input);
  return getNode(name, input);
}

FailureOr<Value> NetworkBuilder::build(Location loc,
                                       const Descriptor &expression) {
  auto emit = [&](LocationAttr) { return emitError(loc); };
  FailureOr<Descriptor> normalized = normalize(expression, emit);
  if (failed(normalized) || failed(getDim(*normalized, emit)) ||
      failed(verifyParts(*normalized, emit)))
    return failure();
  return buildDescriptor(nodes, *normalized, loc);
}

LogicalResult NetworkBuilder::addOutput(Location loc, StringRef name,
                                        const Descriptor &input) {
  FailureOr<Value> value = build(loc, input);
  if (failed(value))
    return failure();
  OutputNodeOp::create(nodes, loc, nodes.getStringAttr(name), *value,
                       Objective::Linear);
  return success();
}

FailureOr<Descriptor>
NetworkBuilder::addNode(Location loc, const Twine &name, StringRef step,
                        ArrayRef<NamedAttribute> attributes,
                        const Descriptor &input) {
  StringAttr nameAttr = nodes.getStringAttr(name);
  OperationState state(loc, findStepOperation(step));
  state.addAttribute(SymbolTable::getSymbolAttrName(), nameAttr);
  state.addAttributes(attributes);
  FailureOr<Value> value = build(loc, input);
  if (failed(value))
    return failure();
  auto component = cast<ComponentOpInterface>(components.create(state));
  auto type =
      RowsType::get(network.getContext(), component.getComponentOutputDim());
  return getNode(nameAttr, ComponentNodeOp::create(
                               nodes, loc, type, nameAttr,
                               FlatSymbolRefAttr::get(nameAttr), *value));
}

Descriptor NetworkBuilder::addColumns(Location loc, const Twine &name,
                                      const Descriptor &node, int64_t begin,
                                      int64_t dim) {
  StringAttr nameAttr = nodes.getStringAttr(name);
  auto type = RowsType::get(network.getContext(), dim);
  return getNode(nameAttr,
                 DimRangeNodeOp::create(nodes, loc, type, nameAttr, node.value,
                                        nodes.getI64IntegerAttr(begin)));
}

Descriptor NetworkBuilder::addPlaceholder(Location loc, int64_t dim) {
  return addInput(loc, "placeholder", dim);
}

void NetworkBuilder::replacePlaceholder(const Descriptor &placeholder,
                                        const Descriptor &node) {
  Value value = placeholder.value;
  value.replaceAllUsesWith(node.value);
  value.getDefiningOp()->erase();
}

NamedAttribute NetworkBuilder::getInt(StringRef name, int64_t value) {
  return nodes.getNamedAttr(name, nodes.getI64IntegerAttr(value));
}

NamedAttribute NetworkBuilder::getReal(StringRef name, double value) {
  return nodes.getNamedAttr(name, nodes.getF32FloatAttr(value));
}

NamedAttribute NetworkBuilder::getBool(StringRef name, bool value) {
  return nodes.getNamedAttr(name, nodes.getBoolAttr(value));
}

NamedAttribute NetworkBuilder::getCount(double value) {
  return nodes.getNamedAttr("count", nodes.getF64FloatAttr(value));
}

NamedAttribute NetworkBuilder::getTensor(const Twine &component, StringRef name,
                                         ArrayRef<int64_t> shape,
                                         ArrayRef<float> values) {
  TensorStorage storage;
  llvm::copy(values, storage.allocate(shape));
  return nodes.getNamedAttr(
      name, storage.take(network.getContext(), component + "." + name));
}
