//===- BuildNodes.cpp - Nodes of configs as operations --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NodeReader.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::InFlightDiagnostic;
using mlir::Location;
using mlir::LocationAttr;
using mlir::LogicalResult;
using mlir::succeeded;
using mlir::success;
using mlir::Value;
using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

//===----------------------------------------------------------------------===//
// Names and dims
//===----------------------------------------------------------------------===//

NodeReader::Node *NodeReader::find(llvm::StringRef name) {
  auto entry = index.find(name);
  return entry == index.end() ? nullptr : &nodes[entry->second];
}

LogicalResult NodeReader::verifyNames(Location loc) {
  bool hasInput = false, hasOutput = false;
  for (Node &node : nodes) {
    hasInput |= node.kind == Kind::Input;
    hasOutput |= node.kind == Kind::Output;
    // In Kaldi the descriptor of a component-node is a node with its own name.
    if (node.kind != Kind::Component)
      continue;
    if (Node *other = find(node.name + "_input")) {
      InFlightDiagnostic diag = emitError(other->loc)
                                << "node name '" << other->name
                                << "' stands for the input of component-node '"
                                << node.name << "'";
      diag.attachNote(node.loc) << "component-node is declared here";
      return diag;
    }
  }
  if (!hasInput)
    return emitError(loc) << "network has no input node";
  if (!hasOutput)
    return emitError(loc) << "network has no output node";
  return success();
}

/// Finds the number of columns of the node's value, and creates a placeholder
/// for it.
LogicalResult NodeReader::resolveDim(Node &node) {
  if (node.kind == Kind::Output)
    return success();
  if (node.kind == Kind::Component) {
    auto entry = components.find(node.reference);
    if (entry == components.end())
      return emitError(Location(node.referenceLoc))
             << "undefined component " << quoteForMessage(node.reference);
    node.dim =
        llvm::cast<ComponentOpInterface>(entry->second).getComponentOutputDim();
  }
  OpBuilder builder(network.getContext());
  node.placeholder = InputNodeOp::create(
      builder, node.loc, RowsType::get(network.getContext(), node.dim),
      builder.getStringAttr(node.name));
  return success();
}

/// Finds the source of a dim-range node and checks its columns.
LogicalResult NodeReader::resolveSource(Node &node) {
  if (node.kind != Kind::DimRange)
    return success();
  Node *source = find(node.reference);
  if (!source)
    return emitError(Location(node.referenceLoc))
           << "undefined node " << quoteForMessage(node.reference);
  if (source->kind != Kind::Input && source->kind != Kind::Component) {
    InFlightDiagnostic diag =
        emitError(Location(node.referenceLoc))
        << "expects an input-node or a component-node as input-node of a "
           "dim-range-node";
    diag.attachNote(source->loc)
        << (source->kind == Kind::Output ? "an output-node"
                                         : "a dim-range-node");
    return diag;
  }
  if (node.dimOffset + node.dim <= source->dim)
    return success();
  return emitError(Location(node.inputLoc))
         << "columns " << node.dimOffset << " to "
         << node.dimOffset + node.dim - 1 << " are beyond the " << source->dim
         << " columns of node '" << source->name << "'";
}

LogicalResult NodeReader::resolveLeaves(Descriptor &descriptor) {
  if (descriptor.kind == Descriptor::Kind::Node) {
    Node *source = find(descriptor.name);
    if (!source)
      return emitError(Location(descriptor.loc))
             << "undefined node " << quoteForMessage(descriptor.name);
    if (source->kind == Kind::Output) {
      InFlightDiagnostic diag = emitError(Location(descriptor.loc))
                                << "output node '" << descriptor.name
                                << "' cannot be an input";
      diag.attachNote(source->loc) << "declared here";
      return diag;
    }
    descriptor.value = source->placeholder->getResult();
    return success();
  }
  for (Descriptor &operand : descriptor.operands)
    if (failed(resolveLeaves(operand)))
      return failure();
  return success();
}

LogicalResult NodeReader::resolveDescriptor(Node &node) {
  if (node.kind != Kind::Component && node.kind != Kind::Output)
    return success();
  if (failed(resolveLeaves(node.input)))
    return failure();
  auto emit = [&](LocationAttr loc) {
    return emitError(loc ? Location(loc) : node.loc);
  };
  FailureOr<Descriptor> normalized = normalize(node.input, emit);
  if (failed(normalized))
    return failure();
  node.input = std::move(*normalized);
  FailureOr<int64_t> dim = getDim(node.input, emit);
  if (failed(dim) || failed(verifyParts(node.input, emit)))
    return failure();
  if (node.kind == Kind::Output)
    return success();
  auto component =
      llvm::cast<ComponentOpInterface>(components.lookup(node.reference));
  if (*dim == component.getComponentInputDim())
    return success();
  InFlightDiagnostic diag = emitError(Location(node.inputLoc))
                            << "expects input dim "
                            << component.getComponentInputDim() << ", but got "
                            << *dim;
  diag.attachNote(component.getLoc())
      << "component '" << node.reference << "' is declared here";
  return diag;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Adds the node to the network; returns null for output nodes. The operands
/// are still placeholders.
Value NodeReader::buildNode(OpBuilder &builder, Node &node) {
  StringAttr name = builder.getStringAttr(node.name);
  // Output nodes take the dim of their input.
  RowsType type;
  if (node.kind != Kind::Output)
    type = RowsType::get(builder.getContext(), node.dim);
  switch (node.kind) {
  case Kind::Input:
    return InputNodeOp::create(builder, node.loc, type, name);
  case Kind::Component: {
    Location loc(node.inputLoc);
    Value input = buildDescriptor(builder, node.input, loc);
    return ComponentNodeOp::create(
        builder, node.loc, type, name,
        FlatSymbolRefAttr::get(builder.getContext(), node.reference), input);
  }
  case Kind::DimRange:
    return DimRangeNodeOp::create(
        builder, node.loc, type, name,
        find(node.reference)->placeholder->getResult(),
        builder.getI64IntegerAttr(node.dimOffset));
  case Kind::Output: {
    Location loc(node.inputLoc);
    Value input = buildDescriptor(builder, node.input, loc);
    OutputNodeOp::create(
        builder, node.loc, name, input,
        ObjectiveAttr::get(builder.getContext(), node.objective));
    return Value();
  }
  }
  llvm_unreachable("all kinds are listed");
}

LogicalResult NodeReader::build(Location loc) {
  if (failed(verifyNames(loc)))
    return failure();
  bool ok = true;
  for (Node &node : nodes)
    ok &= succeeded(resolveDim(node));
  if (!ok)
    return failure();
  for (Node &node : nodes)
    ok &= succeeded(resolveSource(node)) && succeeded(resolveDescriptor(node));
  if (!ok)
    return failure();

  auto builder = OpBuilder::atBlockEnd(&network.getBody().front());
  llvm::SmallVector<Value> values;
  for (Node &node : nodes)
    values.push_back(buildNode(builder, node));
  for (auto [node, value] : llvm::zip(nodes, values))
    if (value)
      node.placeholder->getResult().replaceAllUsesWith(value);
  return success();
}

} // namespace mlir::nnet3
