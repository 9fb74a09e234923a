//===- NodeReader.cpp - Node lines of configs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NodeReader.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"

#include "llvm/ADT/TypeSwitch.h"

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Location;
using mlir::LocationAttr;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::succeeded;
using mlir::success;
using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

//===----------------------------------------------------------------------===//
// Nodes that the network has already
//===----------------------------------------------------------------------===//

/// Sets the locations of node names to `loc` or to the operator around them.
static void relocateLeaves(Descriptor &descriptor, LocationAttr loc) {
  if (descriptor.kind == Descriptor::Kind::Node)
    descriptor.loc = loc;
  for (Descriptor &operand : descriptor.operands)
    relocateLeaves(operand, descriptor.loc);
}

void NodeReader::takeNode(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](InputNodeOp input) {
        Node &node =
            nodes.emplace_back(Kind::Input, input.getName(), input.getLoc());
        node.dim = input.getResult().getType().getDim();
      })
      .Case([&](ComponentNodeOp component) {
        Node &node = nodes.emplace_back(Kind::Component, component.getName(),
                                        component.getLoc());
        node.reference = component.getComponent().str();
        node.input = readDescriptor(component.getInput());
      })
      .Case([&](DimRangeNodeOp range) {
        Node &node =
            nodes.emplace_back(Kind::DimRange, range.getName(), range.getLoc());
        node.dim = range.getResult().getType().getDim();
        node.dimOffset = range.getDimOffset();
        node.reference = readDescriptor(range.getSource()).name;
      })
      .Case([&](OutputNodeOp output) {
        Node &node =
            nodes.emplace_back(Kind::Output, output.getName(), output.getLoc());
        node.objective = output.getObjective();
        node.input = readDescriptor(output.getInput());
      });
}

void NodeReader::takeNodes() {
  llvm::SmallVector<Operation *> operations;
  for (Operation &op : network.getBody().front())
    if (!llvm::isa<ComponentOpInterface>(op)) {
      takeNode(&op);
      operations.push_back(&op);
    }
  for (Node &node : nodes) {
    node.referenceLoc = node.inputLoc = node.loc;
    relocateLeaves(node.input, node.loc);
    index[node.name] = &node - nodes.data();
  }
  // Recurrences are cycles, so drop all uses before erasing.
  for (Operation *op : operations)
    op->dropAllReferences();
  for (Operation *op : operations)
    op->erase();
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

bool NodeReader::isNodeWord(llvm::StringRef word) {
  return word == "input-node" || word == "component-node" ||
         word == "output-node" || word == "dim-range-node";
}

LogicalResult NodeReader::readInput(ConfigLine &line, Node &node) {
  const ConfigValue *input =
      line.require("input", line.getWord() + " '" + node.name + "'");
  if (!input)
    return failure();
  node.inputLoc = line.getLoc(*input);
  FailureOr<Descriptor> descriptor =
      parseDescriptor(input->value, [&](size_t offset) -> LocationAttr {
        return line.getLoc(input->valueColumn + offset);
      });
  if (failed(descriptor))
    return failure();
  node.input = std::move(*descriptor);
  return success();
}

LogicalResult NodeReader::readObjective(ConfigLine &line, Node &node) {
  const ConfigValue *objective = line.take("objective");
  if (!objective)
    return success();
  std::optional<Objective> known = symbolizeObjective(objective->value);
  if (!known)
    return emitError(line.getLoc(*objective))
           << "expects linear or quadratic as objective, but got "
           << quoteForMessage(objective->value);
  node.objective = *known;
  return success();
}

LogicalResult NodeReader::readDimRange(ConfigLine &line, Node &node) {
  std::string subject = "dim-range-node '" + node.name + "'";
  const ConfigValue *source = line.require("input-node", subject);
  if (!source)
    return failure();
  node.reference = source->value.str();
  node.referenceLoc = line.getLoc(*source);
  FailureOr<int64_t> dim = line.requireInteger("dim", 1, subject);
  if (failed(dim))
    return failure();
  FailureOr<int64_t> offset = line.requireInteger("dim-offset", 0, subject);
  if (failed(offset))
    return failure();
  node.dim = *dim;
  node.dimOffset = *offset;
  node.inputLoc = line.getLoc(*line.take("dim"));
  return success();
}

LogicalResult NodeReader::declare(ConfigLine &line, const ConfigValue &name) {
  llvm::StringRef word = line.getWord();
  Location loc = line.getLoc(name);
  if (isDescriptorKeyword(name.value))
    return emitError(loc) << "node name '" << name.value
                          << "' is a word of the descriptor language";
  Kind kind = word == "input-node"       ? Kind::Input
              : word == "component-node" ? Kind::Component
              : word == "output-node"    ? Kind::Output
                                         : Kind::DimRange;
  Node node(kind, name.value, loc);
  LogicalResult result = success();
  switch (kind) {
  case Kind::Input: {
    FailureOr<int64_t> dim =
        line.requireInteger("dim", 1, "input-node '" + name.value + "'");
    if (failed(dim))
      return failure();
    node.dim = *dim;
    break;
  }
  case Kind::Component: {
    const ConfigValue *component =
        line.require("component", "component-node '" + name.value + "'");
    if (!component)
      return failure();
    node.reference = component->value.str();
    node.referenceLoc = line.getLoc(*component);
    result = readInput(line, node);
    break;
  }
  case Kind::Output:
    result = success(succeeded(readInput(line, node)) &&
                     succeeded(readObjective(line, node)));
    break;
  case Kind::DimRange:
    result = readDimRange(line, node);
    break;
  }
  if (failed(result) || failed(line.verifyAllUsed(word)))
    return failure();

  // A node that replaces another moves to the end.
  if (auto old = index.find(name.value); old != index.end()) {
    size_t position = old->second;
    nodes.erase(nodes.begin() + position);
    index.erase(old);
    for (auto &entry : index)
      if (entry.second > position)
        --entry.second;
  }
  index[name.value] = nodes.size();
  nodes.push_back(std::move(node));
  return success();
}

} // namespace mlir::nnet3
