//===- LayerScope.cpp - Layers that a layer may refer to ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerScope.h"

#include "../Config/Numbers.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"

#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace ::nnet3::kaldi;

using mlir::emitError;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Location;
using mlir::LocationAttr;
using mlir::Operation;
using mlir::nnet3::Descriptor;
using Kind = Descriptor::Kind;

namespace mlir::nnet3::xconfig {

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void LayerScope::addExisting(NetworkOp network) {
  auto addNode = [&](auto node) {
    add(Layer::makeExisting(node.getName(), node.getResult().getType().getDim(),
                            node.getLoc()));
  };
  for (Operation &op : network.getBody().front())
    llvm::TypeSwitch<Operation *>(&op)
        .Case<InputNodeOp, ComponentNodeOp, DimRangeNodeOp>(addNode);
}

Layer &LayerScope::add(Layer layer) {
  Layer &added = layers.emplace_back(std::move(layer));
  byName[added.getName()] = &added;
  return added;
}

const Layer *LayerScope::findOwn(llvm::StringRef name) const {
  Layer *layer = byName.lookup(name);
  return layer && layer->getType() ? layer : nullptr;
}

const LayerOutput *LayerScope::findOutput(llvm::StringRef name) const {
  llvm::StringRef auxiliary;
  Layer *layer = byName.lookup(name);
  if (!layer) {
    std::tie(name, auxiliary) = name.rsplit('.');
    layer = byName.lookup(name);
  }
  if (!layer)
    return nullptr;
  for (const LayerOutput &output : layer->getOutputs())
    if (output.name == auxiliary)
      return &output;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

static Descriptor makeLeaf(llvm::StringRef name, LocationAttr loc) {
  Descriptor leaf;
  leaf.name = name.str();
  leaf.loc = loc;
  return leaf;
}

static Descriptor makeOffset(Descriptor operand, int32_t offset) {
  if (offset == 0)
    return operand;
  Descriptor descriptor;
  descriptor.kind = Kind::Offset;
  descriptor.t = offset;
  descriptor.loc = operand.loc;
  descriptor.operands.push_back(std::move(operand));
  return descriptor;
}

/// Returns the layer `distance` before the current one.
FailureOr<Descriptor> LayerScope::referBack(int64_t distance,
                                            LocationAttr loc) {
  if (distance > static_cast<int64_t>(layers.size()))
    return emitError(Location(loc))
           << "expects a layer " << distance << " before this one, but there "
           << (layers.size() == 1 ? "is " : "are ") << layers.size();
  Layer &layer = layers[layers.size() - distance];
  if (layer.getOutputs().empty() || !layer.getOutputs().front().name.empty())
    return emitError(Location(loc))
           << "layer '" << layer.getName() << "' before this one is of type "
           << layer.getType()->name << ", to which none can refer";
  layer.used = true;
  return makeLeaf(layer.getName(), loc);
}

FailureOr<Descriptor> LayerScope::referByName(llvm::StringRef name,
                                              LocationAttr loc) {
  if (!isNameToken(name))
    return emitError(Location(loc))
           << "expects a descriptor, but got " << quoteForMessage(name);
  if (findOutput(name)) {
    if (Layer *layer = byName.lookup(name))
      layer->used = true;
    else
      byName.lookup(name.rsplit('.').first)->used = true;
    return makeLeaf(name, loc);
  }
  auto diag = emitError(Location(loc));
  if (const Layer *layer = byName.lookup(name))
    diag << "layer '" << name << "' is of type " << layer->getType()->name
         << ", to which none can refer";
  else if (const Layer *layer = byName.lookup(name.rsplit('.').first))
    diag << "layer '" << layer->getName() << "' has no output '"
         << name.rsplit('.').second << "'";
  else if (later.contains(name))
    diag << "layer '" << name << "' does not come before this one";
  else
    diag << "undefined layer " << quoteForMessage(name);
  return diag;
}

/// Resolves `name`, `layer.aux` or `[-1]`.
FailureOr<Descriptor> LayerScope::refer(llvm::StringRef token,
                                        LocationAttr loc) {
  llvm::StringRef inner = token;
  if (!inner.consume_front("["))
    return referByName(token, loc);
  std::optional<int32_t> index;
  if (inner.consume_back("]"))
    index = parseInteger(inner);
  if (!index || *index >= 0)
    return emitError(Location(loc))
           << "expects a layer before this one, as in '[-1]', but got "
           << quoteForMessage(token);
  return referBack(-static_cast<int64_t>(*index), loc);
}

FailureOr<Descriptor> LayerScope::parseLeaf(llvm::StringRef token,
                                            LocationAttr loc) {
  if (std::optional<int32_t> offset = parseInteger(token)) {
    FailureOr<Descriptor> previous = referBack(1, loc);
    if (failed(previous))
      return failure();
    return makeOffset(std::move(*previous), *offset);
  }
  auto [name, offsetText] = token.split('@');
  FailureOr<Descriptor> leaf = refer(name, loc);
  if (failed(leaf) || name.size() == token.size())
    return leaf;
  std::optional<int32_t> offset = parseInteger(offsetText);
  if (!offset)
    return emitError(Location(loc)) << "expects an integer after '@', but got "
                                    << quoteForMessage(offsetText);
  return makeOffset(std::move(*leaf), *offset);
}

FailureOr<Descriptor>
LayerScope::parse(llvm::StringRef text,
                  llvm::function_ref<LocationAttr(size_t)> locAt) {
  return parseDescriptor(text, locAt,
                         [&](llvm::StringRef token, LocationAttr loc) {
                           return parseLeaf(token, loc);
                         });
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

FailureOr<int64_t> LayerScope::getDimOf(const Descriptor &descriptor) const {
  if (descriptor.kind == Kind::Node)
    return findOutput(descriptor.name)->dim;
  if (descriptor.kind == Kind::Const)
    return descriptor.dim;
  int64_t dim = 0;
  for (const Descriptor &operand : descriptor.operands) {
    FailureOr<int64_t> operandDim = getDimOf(operand);
    if (failed(operandDim))
      return failure();
    if (descriptor.kind == Kind::Append)
      dim += *operandDim;
    else if (dim == 0)
      dim = *operandDim;
    else if (dim != *operandDim)
      return emitError(Location(operand.loc))
             << "expects operands of " << getKeyword(descriptor.kind)
             << " to have the same dim, but got " << dim << " and "
             << *operandDim;
  }
  return dim;
}

FailureOr<int64_t> LayerScope::getDim(const Descriptor &descriptor,
                                      Location loc) const {
  FailureOr<int64_t> dim = getDimOf(descriptor);
  if (succeeded(dim) && *dim > std::numeric_limits<int32_t>::max())
    return emitError(loc) << "an input of " << *dim
                          << " columns is more than 32 bits can count";
  return dim;
}

FailureOr<std::string> LayerScope::toNodes(Descriptor descriptor,
                                           Location loc) const {
  // Outputs of layers may be descriptors that grow with each layer.
  constexpr size_t kMaxText = 1 << 20;
  llvm::SmallVector<Descriptor *> open = {&descriptor};
  size_t size = 0;
  while (!open.empty()) {
    Descriptor *next = open.pop_back_val();
    if (next->kind == Kind::Node) {
      next->name = findOutput(next->name)->text;
      size += next->name.size();
    }
    for (Descriptor &operand : next->operands)
      open.push_back(&operand);
  }
  if (size > kMaxText)
    return emitError(loc) << "an input that stands for a descriptor of " << size
                          << " characters is too long";
  std::string text;
  llvm::raw_string_ostream os(text);
  print(descriptor, os);
  return text;
}

} // namespace mlir::nnet3::xconfig
