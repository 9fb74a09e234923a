//===- CompositeComponent.cpp - Composite components ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

static ComponentOpInterface getFirst(CompositeOp op) {
  return cast<ComponentOpInterface>(op.getBody().front().front());
}
static ComponentOpInterface getLast(CompositeOp op) {
  return cast<ComponentOpInterface>(op.getBody().front().back());
}

int64_t CompositeOp::getComponentInputDim() {
  return getFirst(*this).getComponentInputDim();
}
int64_t CompositeOp::getComponentOutputDim() {
  return getLast(*this).getComponentOutputDim();
}

/// Spec: components.md 6.46.
P CompositeOp::getComponentProperties() {
  P first = getFirst(*this).getComponentProperties();
  P last = getLast(*this).getComponentProperties();
  P properties = P::Simple | P::BackpropNeedsInput;
  properties |=
      last & (P::PropagateAdds | P::BackpropNeedsOutput | P::OutputContiguous);
  properties |= first & (P::BackpropAdds | P::InputContiguous);
  if (has(last, P::StoresStats))
    properties |= P::BackpropNeedsOutput;
  for (ComponentOpInterface component : getComponents())
    properties |= component.getComponentProperties() & P::Updatable;
  return properties;
}

LogicalResult CompositeOp::verifyConfiguration() {
  Block &body = getBody().front();
  if (body.empty())
    return emitOpError("expects at least one component");
  int64_t dim = -1;
  for (Operation &op : body) {
    auto component = dyn_cast<ComponentOpInterface>(op);
    if (!component || isa<CompositeOp>(op))
      return emitOpError("cannot have '") << op.getName() << "' as a part";
    StringRef name = mlir::SymbolTable::getSymbolName(&op).getValue();
    P properties = component.getComponentProperties();
    if (!has(properties, P::Simple) || has(properties, P::Random))
      return emitOpError("cannot have '")
             << name << "' as a part: components of type "
             << component.getKaldiType() << " are "
             << (has(properties, P::Simple) ? "random" : "not simple");
    if (dim >= 0 && component.getComponentInputDim() != dim)
      return emitOpError("expects an input dim of ")
             << dim << " of '" << name
             << "', which is the output dim before it, but got "
             << component.getComponentInputDim();
    dim = component.getComponentOutputDim();
  }
  return success();
}

LogicalResult CompositeOp::initializeParameters(ParameterInitializer &i) {
  for (ComponentOpInterface component : getComponents())
    if (failed(component.initializeParameters(i)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kPrefix = "component";

std::optional<int64_t>
mlir::nnet3::getPartNumber(ComponentOpInterface component) {
  if (!isa<CompositeOp>(component->getParentOp()))
    return std::nullopt;
  return std::distance(component->getBlock()->begin(),
                       component->getIterator());
}

std::string mlir::nnet3::getPartPrefix(ComponentOpInterface component) {
  if (std::optional<int64_t> number = getPartNumber(component))
    return (kPrefix + Twine(*number + 1) + ".").str();
  return "";
}

void mlir::nnet3::forEachPart(
    ComponentOpInterface component,
    function_ref<void(ComponentOpInterface part, StringRef prefix)> fn) {
  fn(component, "");
  auto composite = dyn_cast<CompositeOp>(component.getOperation());
  if (!composite)
    return;
  for (ComponentOpInterface part : composite.getComponents())
    fn(part, getPartPrefix(part));
}

ComponentOpInterface mlir::nnet3::findPart(ComponentOpInterface component,
                                           StringRef &name) {
  auto [prefix, rest] = name.split('.');
  uint64_t number;
  if (rest.empty() || !prefix.consume_front(kPrefix) ||
      prefix.getAsInteger(10, number))
    return component;
  name = rest;
  auto parts = cast<CompositeOp>(component.getOperation()).getComponents();
  return *std::next(parts.begin(), number - 1);
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/CompositeComponentOps.cpp.inc"
