//===- NodeInputs.cpp - Inputs of nodes -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NodeInputs.h"
#include "NetworkEdits.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

bool mlir::nnet3::reads(const Descriptor &descriptor, Value node) {
  return descriptor.kind == Kind::Node
             ? descriptor.value == node
             : llvm::any_of(descriptor.operands, [&](const Descriptor &part) {
                 return reads(part, node);
               });
}

/// Returns the input of a node; null for input nodes and other operations.
static Value getInput(Operation *op) {
  if (auto node = dyn_cast<ComponentNodeOp>(op))
    return node.getInput();
  if (auto range = dyn_cast<DimRangeNodeOp>(op))
    return range.getSource();
  if (auto output = dyn_cast<OutputNodeOp>(op))
    return output.getInput();
  return nullptr;
}

SmallVector<Operation *> mlir::nnet3::findReaders(NetworkOp network,
                                                  Value node) {
  SmallVector<Operation *> readers;
  for (Operation &op : network.getBody().front())
    if (Value input = getInput(&op))
      if (reads(readDescriptor(input), node))
        readers.push_back(&op);
  return readers;
}

/// Returns the node whose rows `term` reads unchanged; null if its rows are
/// computed.
static Value getNode(const Descriptor &term) {
  switch (term.kind) {
  case Kind::Node:
    return term.value;
  case Kind::Offset:
  case Kind::Round:
  case Kind::ReplaceIndex:
  case Kind::IfDefined:
    return getNode(term.operands.front());
  default:
    return nullptr;
  }
}

/// Returns the number of columns of a descriptor of a verified network.
static int64_t countColumns(const Descriptor &descriptor) {
  switch (descriptor.kind) {
  case Kind::Node:
    return cast<RowsType>(descriptor.value.getType()).getDim();
  case Kind::Const:
    return descriptor.dim;
  case Kind::Append: {
    int64_t count = 0;
    for (const Descriptor &part : descriptor.operands)
      count += countColumns(part);
    return count;
  }
  default:
    return countColumns(descriptor.operands.front());
  }
}

SmallVector<AppendedTerm> mlir::nnet3::getTerms(const Descriptor &descriptor) {
  ArrayRef<Descriptor> parts = descriptor;
  if (descriptor.kind == Kind::Append)
    parts = descriptor.operands;
  SmallVector<AppendedTerm> terms;
  int64_t column = 0;
  for (const Descriptor &part : parts) {
    terms.push_back({getNode(part), column, countColumns(part)});
    column += terms.back().numColumns;
  }
  return terms;
}

int64_t mlir::nnet3::countInputRows(ComponentOpInterface component) {
  for (const TensorSpec &spec : component.getTensors())
    if (spec.name == getMatrixName(component) && spec.shape.size() == 2 &&
        spec.shape[0] == component.getComponentOutputDim() &&
        spec.shape[1] % component.getComponentInputDim() == 0)
      return spec.shape[1] / component.getComponentInputDim();
  return 0;
}

bool mlir::nnet3::isMatrix(ComponentOpInterface component) {
  return countInputRows(component) > 0;
}

StringRef mlir::nnet3::getMatrixName(Operation *component) {
  return isa<LinearOp>(component) ? "params" : "linear_params";
}

ComponentOpInterface mlir::nnet3::getOwnComponent(NetworkOp network,
                                                  ComponentNodeOp node) {
  for (auto other : network.getOps<ComponentNodeOp>())
    if (other != node && other.getComponent() == node.getComponent())
      return nullptr;
  return findComponent(network, node.getComponent());
}

InputRebuilder::InputRebuilder(NetworkOp network) {
  for (Operation &op : network.getBody().front())
    if (isa<ComponentNodeOp, OutputNodeOp>(op))
      inputs.emplace_back(&op, readDescriptor(getInput(&op)));
}

void InputRebuilder::rebuild() {
  for (auto &[op, descriptor] : inputs) {
    OpBuilder builder(op);
    Value input = buildDescriptor(builder, descriptor, op->getLoc());
    if (auto node = dyn_cast<ComponentNodeOp>(op))
      node.getInputMutable().assign(input);
    else
      cast<OutputNodeOp>(op).getInputMutable().assign(input);
  }
}

void mlir::nnet3::setColumns(Value node, int64_t count) {
  node.setType(RowsType::get(node.getContext(), count));
}

void mlir::nnet3::setInteger(Operation *component, StringRef name,
                             int64_t value) {
  component->setAttr(name, OpBuilder(component).getI64IntegerAttr(value));
}
