//===- NodeTable.cpp - The nodes of a network, numbered -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Translation of normalised descriptors
//===----------------------------------------------------------------------===//

static ForwardExpr readForward(const Descriptor &descriptor,
                               const DenseMap<Value, int32_t> &numbers) {
  ForwardExpr expr;
  expr.t = descriptor.t;
  expr.x = descriptor.x;
  switch (descriptor.kind) {
  case Descriptor::Kind::Offset:
    expr.kind = ForwardExpr::Kind::Offset;
    break;
  case Descriptor::Kind::Switch:
    expr.kind = ForwardExpr::Kind::Switch;
    break;
  case Descriptor::Kind::Round:
    expr.kind = ForwardExpr::Kind::Round;
    break;
  case Descriptor::Kind::ReplaceIndex:
    expr.kind = descriptor.variable == IndexVariable::T
                    ? ForwardExpr::Kind::ReplaceT
                    : ForwardExpr::Kind::ReplaceX;
    break;
  case Descriptor::Kind::Scale:
    expr.node = numbers.lookup(descriptor.operands.front().value);
    expr.alpha = float(descriptor.alpha);
    return expr;
  default:
    assert(descriptor.kind == Descriptor::Kind::Node && "not in normal form");
    expr.node = numbers.lookup(descriptor.value);
    return expr;
  }
  for (const Descriptor &operand : descriptor.operands)
    expr.operands.push_back(readForward(operand, numbers));
  return expr;
}

static SumExpr readSum(const Descriptor &descriptor,
                       const DenseMap<Value, int32_t> &numbers) {
  SumExpr expr;
  switch (descriptor.kind) {
  case Descriptor::Kind::Sum:
    expr.kind = SumExpr::Kind::Sum;
    break;
  case Descriptor::Kind::Failover:
    expr.kind = SumExpr::Kind::Failover;
    break;
  case Descriptor::Kind::IfDefined:
    expr.kind = SumExpr::Kind::IfDefined;
    break;
  case Descriptor::Kind::Const:
    expr.kind = SumExpr::Kind::Const;
    expr.value = float(descriptor.alpha);
    return expr;
  default:
    expr.forward = readForward(descriptor, numbers);
    return expr;
  }
  for (const Descriptor &operand : descriptor.operands)
    expr.operands.push_back(readSum(operand, numbers));
  return expr;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// a modulo m, in [0, m), for m > 0.
static int32_t mod(int32_t a, int32_t m) {
  int32_t r = a % m;
  return r < 0 ? r + m : r;
}

std::pair<Cindex, float> ForwardExpr::map(Index index) const {
  const ForwardExpr *expr = this;
  while (expr->kind != Kind::Node) {
    const ForwardExpr *operand = &expr->operands.front();
    switch (expr->kind) {
    case Kind::Offset:
      index.t = shifted(index.t, expr->t);
      index.x = shifted(index.x, expr->x);
      break;
    case Kind::Round:
      index.t = shifted(index.t, -int64_t(mod(index.t, expr->t)));
      break;
    case Kind::ReplaceT:
      index.t = expr->t;
      break;
    case Kind::ReplaceX:
      index.x = expr->t;
      break;
    case Kind::Switch:
      operand = &expr->operands[mod(index.t, expr->operands.size())];
      break;
    case Kind::Node:
      break;
    }
    expr = operand;
  }
  return {Cindex{expr->node, index}, expr->alpha};
}

void SumExpr::getDependencies(Index index,
                              SmallVectorImpl<Cindex> &sources) const {
  if (kind == Kind::Forward) {
    sources.push_back(forward.map(index).first);
    return;
  }
  for (const SumExpr &operand : operands)
    operand.getDependencies(index, sources);
}

bool SumExpr::isComputable(Index index,
                           function_ref<bool(const Cindex &)> available,
                           SmallVectorImpl<Term> *terms) const {
  switch (kind) {
  case Kind::Forward: {
    auto [source, alpha] = forward.map(index);
    if (!available(source))
      return false;
    if (terms)
      terms->push_back({source, alpha});
    return true;
  }
  case Kind::Const:
    return true;
  case Kind::Sum: {
    size_t before = terms ? terms->size() : 0;
    for (const SumExpr &operand : operands)
      if (!operand.isComputable(index, available, terms)) {
        if (terms)
          terms->truncate(before);
        return false;
      }
    return true;
  }
  case Kind::Failover:
    return operands[0].isComputable(index, available, terms) ||
           operands[1].isComputable(index, available, terms);
  case Kind::IfDefined:
    operands[0].isComputable(index, available, terms);
    return true;
  }
  llvm_unreachable("all kinds are handled");
}

float SumExpr::getConstant() const {
  switch (kind) {
  case Kind::Const:
    return value;
  case Kind::Sum:
    return operands[0].getConstant() + operands[1].getConstant();
  case Kind::Failover:
  case Kind::IfDefined:
    // The checks of the normal form allow only constants that do not depend on
    // the choice.
    return operands[0].getConstant();
  case Kind::Forward:
    return 0;
  }
  llvm_unreachable("all kinds are handled");
}

bool SumExpr::needsAllDependencies() const {
  if (kind == Kind::Failover || kind == Kind::IfDefined)
    return false;
  return llvm::all_of(operands, [](const SumExpr &operand) {
    return operand.needsAllDependencies();
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

LogicalResult
NodeTable::addDescriptor(Value value, Node &node,
                         const DenseMap<Value, int32_t> &numbers) {
  Operation *op = node.op;
  auto emitError = [&](LocationAttr loc) {
    return mlir::emitError(loc ? Location(loc) : op->getLoc());
  };
  FailureOr<Descriptor> normal = normalize(readDescriptor(value), emitError);
  if (failed(normal) || failed(verifyParts(*normal, emitError)))
    return failure();
  node.modulus = nnet3::getModulus(*normal);
  modulus = saturatingLcm(modulus, node.modulus);
  ArrayRef<Descriptor> parts(*normal);
  if (normal->kind == Descriptor::Kind::Append)
    parts = normal->operands;
  node.needsAllDependencies = true;
  for (const Descriptor &part : parts) {
    FailureOr<int64_t> dim = getDim(part, emitError);
    if (failed(dim))
      return failure();
    node.parts.push_back({readSum(part, numbers), node.dim, *dim});
    node.dim += *dim;
    node.needsAllDependencies &= node.parts.back().sum.needsAllDependencies();
  }
  return success();
}

FailureOr<NodeTable> NodeTable::get(NetworkOp network) {
  NodeTable table;
  DenseMap<Value, int32_t> numbers;
  SmallVector<Value> inputs; // of the descriptor nodes
  auto add = [&](Node::Kind kind, Operation &op, std::string name) -> Node & {
    Node &node = table.nodes.emplace_back();
    node.kind = kind;
    node.op = &op;
    node.name = std::move(name);
    inputs.push_back({});
    return node;
  };
  SymbolTable symbols(network);
  for (Operation &op : network.getBody().front()) {
    if (auto node = dyn_cast<InputNodeOp>(op)) {
      add(Node::Kind::Input, op, node.getName().str()).dim =
          node.getType().getDim();
    } else if (auto node = dyn_cast<ComponentNodeOp>(op)) {
      add(Node::Kind::Descriptor, op, node.getName().str() + "_input");
      inputs.back() = node.getInput();
      Node &entry = add(Node::Kind::Component, op, node.getName().str());
      entry.dim = node.getType().getDim();
      entry.component = symbols.lookup<ComponentOpInterface>(
          node.getComponentAttr().getValue());
      entry.properties = entry.component.getComponentProperties();
      entry.needsAllDependencies =
          has(entry.properties, ComponentProperties::Simple);
      entry.modulus = entry.component.getTimeModulus();
      table.modulus = saturatingLcm(table.modulus, entry.modulus);
    } else if (auto node = dyn_cast<DimRangeNodeOp>(op)) {
      Node &entry = add(Node::Kind::DimRange, op, node.getName().str());
      entry.dim = node.getType().getDim();
      entry.dimOffset = node.getDimOffset();
      entry.needsAllDependencies = true;
    } else if (auto node = dyn_cast<OutputNodeOp>(op)) {
      add(Node::Kind::Descriptor, op, node.getName().str()).isOutput = true;
      inputs.back() = node.getInput();
    } else {
      continue;
    }
    int32_t number = table.nodes.size() - 1;
    table.byName[table.nodes.back().name] = number;
    if (op.getNumResults() == 1)
      numbers[op.getResult(0)] = number;
  }
  for (auto [node, input] : llvm::zip_equal(table.nodes, inputs)) {
    if (node.kind == Node::Kind::DimRange)
      node.source = numbers.lookup(cast<DimRangeNodeOp>(node.op).getSource());
    if (node.kind == Node::Kind::Descriptor &&
        failed(table.addDescriptor(input, node, numbers)))
      return failure();
  }
  return table;
}

int32_t NodeTable::find(StringRef name) const {
  auto entry = byName.find(name);
  return entry == byName.end() ? -1 : entry->second;
}

static void dropOptionalReads(SumExpr &sum) {
  if (sum.kind == SumExpr::Kind::IfDefined) {
    sum = SumExpr();
    sum.kind = SumExpr::Kind::Const;
  }
  for (SumExpr &operand : sum.operands)
    dropOptionalReads(operand);
}

NodeTable NodeTable::withoutOptionalReads() const {
  NodeTable result = *this;
  for (Node &node : result.nodes) {
    for (DescriptorPart &part : node.parts)
      dropOptionalReads(part.sum);
    if (node.kind == Node::Kind::Descriptor)
      node.needsAllDependencies =
          llvm::all_of(node.parts, [](const DescriptorPart &part) {
            return part.sum.needsAllDependencies();
          });
  }
  return result;
}

static bool mixesRows(ComponentOpInterface component) {
  if (isInTrainingMode(component))
    return true;
  for (Region &region : component->getRegions())
    for (auto part : region.getOps<ComponentOpInterface>())
      if (mixesRows(part))
        return true;
  return false;
}

bool mlir::nnet3::mixesRows(const Node &node) {
  return node.kind == Node::Kind::Component && ::mixesRows(node.component);
}

bool mlir::nnet3::mixesRows(const NodeTable &nodes) {
  return llvm::any_of(nodes.getNodes(),
                      [](const Node &node) { return mixesRows(node); });
}
