//===- NetworkDifference.cpp - Differences of two networks ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDifference.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Target/Kaldi/Config.h"
#include "nnet3/Target/Kaldi/ModelInfo.h"
#include "nnet3/Target/Kaldi/TensorData.h"

#include "llvm/ADT/MapVector.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

double TensorDifference::getRelativeChange() const {
  const double change = normOfChange.value_or(0);
  return change == 0 ? 0 : change / normBefore;
}

std::string TensorDifference::describeElement() const {
  if (shapeBefore.size() < 2)
    return "element " + std::to_string(element);
  const int64_t cols = shapeBefore.back();
  return "row " + std::to_string(element / cols) + ", column " +
         std::to_string(element % cols);
}

bool NetworkDifference::isEmpty() const {
  return nodes.empty() && components.empty() &&
         llvm::all_of(tensors, [](const TensorDifference &tensor) {
           return tensor.isSame();
         });
}

/// Texts by name, in the order of the network.
using Texts = llvm::MapVector<StringRef, std::string>;

/// Returns the config lines of the nodes. The names refer to `text`.
static Texts describeNodes(NetworkOp network, std::string &text) {
  llvm::raw_string_ostream os(text);
  writeConfigNodes(network, os);
  Texts nodes;
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    nodes[line.split("name=").second.split(' ').first] = line.str();
  return nodes;
}

static void printAttribute(Attribute value, llvm::raw_ostream &os) {
  if (auto real = dyn_cast<FloatAttr>(value))
    os << formatReal(real.getValueAsDouble());
  else
    value.print(os, /*elideType=*/true);
}

/// Returns the type and all attributes of a component except tensors.
static std::string describeComponent(ComponentOpInterface component) {
  std::string text;
  llvm::raw_string_ostream os(text);
  forEachPart(component, [&](ComponentOpInterface part, StringRef prefix) {
    os << (prefix.empty() ? "" : " ") << prefix << part.getKaldiType();
    for (NamedAttribute attribute : part->getAttrDictionary()) {
      if (isa<ElementsAttr>(attribute.getValue()) ||
          attribute.getName() == SymbolTable::getSymbolAttrName())
        continue;
      os << " " << attribute.getName().getValue() << "=";
      printAttribute(attribute.getValue(), os);
    }
  });
  return text;
}

static Texts describeComponents(NetworkOp network) {
  Texts components;
  for (auto component : network.getOps<ComponentOpInterface>())
    components[SymbolTable::getSymbolName(component)] =
        describeComponent(component);
  return components;
}

static std::vector<ItemDifference> compareTexts(const Texts &before,
                                                const Texts &after) {
  std::vector<ItemDifference> differences;
  for (const auto &[name, text] : before)
    if (auto other = after.find(name);
        other == after.end() || other->second != text)
      differences.push_back(
          {name.str(), text, other == after.end() ? "" : other->second});
  for (const auto &[name, text] : after)
    if (!before.contains(name))
      differences.push_back({name.str(), "", text});
  return differences;
}

static double getNorm(ArrayRef<float> values) {
  double sum = 0;
  for (float value : values)
    sum += double(value) * value;
  return std::sqrt(sum);
}

namespace {
/// The values of a tensor.
struct Values {
  std::vector<float> storage;
  ArrayRef<float> data;
  std::vector<int64_t> shape;

  LogicalResult read(Operation *component, StringRef name);
};
} // namespace

LogicalResult Values::read(Operation *component, StringRef name) {
  auto tensor = component->getAttrOfType<ElementsAttr>(name);
  if (!tensor)
    return success();
  auto found = getTensorData(tensor, storage);
  if (!found)
    return mlir::emitError(component->getLoc())
           << "component '" << SymbolTable::getSymbolName(component).getValue()
           << "' has no values of its " << name;
  data = *found;
  shape = tensor.getShapedType().getShape().vec();
  return success();
}

/// Computes the norms and the largest change of the elements.
static void compareElements(ArrayRef<float> before, ArrayRef<float> after,
                            TensorDifference &result) {
  double sum = 0, largest = -1;
  for (auto [i, a, b] : llvm::enumerate(before, after)) {
    const double change = std::abs(double(b) - a);
    sum += change * change;
    if (change <= largest)
      continue;
    largest = change;
    result.element = int64_t(i);
    result.elementBefore = a;
    result.elementAfter = b;
  }
  result.normOfChange = std::sqrt(sum);
}

/// Compares the tensors of two components with the same name.
static LogicalResult compareTensors(StringRef name, ComponentOpInterface before,
                                    ComponentOpInterface after,
                                    StringRef prefix,
                                    std::vector<TensorDifference> &result) {
  for (const TensorSpec &spec : before.getTensors()) {
    Values a, b;
    if (failed(a.read(before, spec.name)) || failed(b.read(after, spec.name)))
      return failure();
    if (a.data.empty() || b.data.empty())
      continue;
    TensorDifference tensor;
    tensor.component = name.str();
    tensor.tensor = (prefix + spec.name).str();
    tensor.isParameter = spec.isParameter;
    tensor.shapeBefore = a.shape;
    tensor.shapeAfter = b.shape;
    tensor.normBefore = getNorm(a.data);
    tensor.normAfter = getNorm(b.data);
    if (a.shape == b.shape)
      compareElements(a.data, b.data, tensor);
    result.push_back(std::move(tensor));
  }
  return success();
}

/// Returns the parts of a component with their prefixes.
static std::vector<std::pair<std::string, ComponentOpInterface>>
getParts(ComponentOpInterface component) {
  std::vector<std::pair<std::string, ComponentOpInterface>> parts;
  forEachPart(component, [&](ComponentOpInterface part, StringRef prefix) {
    parts.emplace_back(prefix.str(), part);
  });
  return parts;
}

static NetworkSize measure(NetworkOp network, const Texts &nodes,
                           const Texts &components) {
  return {int64_t(nodes.size()), int64_t(components.size()),
          countParameters(network), countMultiplyAdds(network)};
}

FailureOr<NetworkDifference> mlir::nnet3::compareNetworks(NetworkOp before,
                                                          NetworkOp after) {
  NetworkDifference result;
  std::string textBefore, textAfter;
  const Texts nodesBefore = describeNodes(before, textBefore);
  const Texts nodesAfter = describeNodes(after, textAfter);
  const Texts componentsBefore = describeComponents(before);
  const Texts componentsAfter = describeComponents(after);
  result.nodes = compareTexts(nodesBefore, nodesAfter);
  result.components = compareTexts(componentsBefore, componentsAfter);
  result.before = measure(before, nodesBefore, componentsBefore);
  result.after = measure(after, nodesAfter, componentsAfter);
  SymbolTable symbols(after);
  for (auto component : before.getOps<ComponentOpInterface>()) {
    StringRef name = SymbolTable::getSymbolName(component);
    auto other = symbols.lookup<ComponentOpInterface>(name);
    if (!other)
      continue;
    auto parts = getParts(component), otherParts = getParts(other);
    for (auto [a, b] : llvm::zip(parts, otherParts))
      if (failed(compareTensors(name, a.second, b.second, a.first,
                                result.tensors)))
        return failure();
  }
  return result;
}
