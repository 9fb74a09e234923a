//===- CellGraph.cpp - Finding the cells of an LSTM -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CellGraph.h"
#include "../NetworkEdits.h"

using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Twine;

namespace {
class Follower {
public:
  Follower(NetworkOp network, CellGraph &graph)
      : network(network), graph(graph) {}

  Error follow();

private:
  Error findGates();
  Error findRanges();
  Error followReaders(Value cells, bool areOutputs);
  Error addReader(Operation *op, Value cells, bool areOutputs);
  Error addMatrix(ComponentOpInterface component, ArrayRef<int64_t> columns,
                  bool areOutputs, Operation *op);
  Error addPass(ComponentNodeOp node, ArrayRef<int64_t> columns,
                bool areOutputs);

  NetworkOp network;
  CellGraph &graph;
};
} // namespace

static Error refuse(Operation *op, const Twine &why) {
  return llvm::createStringError("node '" + getNodeName(op).getValue() + "' " +
                                 why);
}

/// Returns the first column of each term that reads `cells`; an error if
/// `cells` is read in another way.
static llvm::Expected<SmallVector<int64_t>> findColumns(ComponentNodeOp node,
                                                        Value cells) {
  const Descriptor input = readDescriptor(node.getInput());
  ArrayRef<Descriptor> parts = input;
  if (input.kind == Descriptor::Kind::Append)
    parts = input.operands;
  SmallVector<int64_t> columns;
  for (auto [part, term] : llvm::zip_equal(parts, getTerms(input))) {
    if (term.node == cells)
      columns.push_back(term.firstColumn);
    else if (reads(part, cells))
      return refuse(node, "computes with rows of cells before it reads them");
  }
  return columns;
}

Error Follower::findGates() {
  const auto terms = getTerms(readDescriptor(graph.node.getInput()));
  const AppendedTerm &first = terms.front();
  auto gates = first.node ? first.node.getDefiningOp<ComponentNodeOp>()
                          : ComponentNodeOp();
  if (!gates || first.numColumns != 4 * graph.numCells)
    return refuse(graph.node, "has no node that computes its gates alone");
  graph.gates = gates;
  graph.gatesComponent = getOwnComponent(network, gates);
  if (!graph.gatesComponent || !isMatrix(graph.gatesComponent))
    return refuse(gates, "computes gates, but not by a matrix of its own");
  for (Operation *reader : findReaders(network, gates.getResult()))
    if (reader != graph.node)
      return refuse(reader, "reads the gates, too");
  return Error::success();
}

Error Follower::findRanges() {
  const int64_t count = graph.numCells;
  for (Operation *op : findReaders(network, graph.node.getResult())) {
    auto range = dyn_cast<DimRangeNodeOp>(op);
    if (!range || range.getResult().getType().getDim() != count ||
        range.getDimOffset() % count != 0)
      return refuse(op, "reads states and outputs otherwise than apart");
    DimRangeNodeOp &found =
        range.getDimOffset() == 0 ? graph.states : graph.outputs;
    if (found)
      return refuse(op, "reads the same as node '" + found.getName() + "'");
    found = range;
  }
  if (!graph.outputs)
    return refuse(graph.node, "has outputs that are not read");
  return Error::success();
}

Error Follower::addMatrix(ComponentOpInterface component,
                          ArrayRef<int64_t> columns, bool areOutputs,
                          Operation *op) {
  if (!areOutputs)
    return refuse(op, "multiplies states with weights");
  if (countInputRows(component) > 1)
    return refuse(op, "reads outputs at several offsets in one component");
  for (int64_t first : columns)
    graph.readers.push_back({component, first});
  return Error::success();
}

/// Adds a node that passes cells on unchanged.
Error Follower::addPass(ComponentNodeOp node, ArrayRef<int64_t> columns,
                        bool areOutputs) {
  auto known = llvm::find_if(
      graph.passes, [&](const auto &pass) { return pass.first == node; });
  if (known == graph.passes.end())
    known = graph.passes.insert(graph.passes.end(), {node, {}});
  known->second.append(columns.begin(), columns.end());
  llvm::sort(known->second);
  for (Operation *op : findReaders(network, node.getResult())) {
    auto range = dyn_cast<DimRangeNodeOp>(op);
    if (!range)
      return refuse(op, "reads cells with other columns");
    const int64_t begin = range.getDimOffset();
    const int64_t end = begin + range.getResult().getType().getDim();
    for (int64_t first : columns) {
      const int64_t last = first + graph.numCells;
      if (end <= first || begin >= last)
        continue;
      if (begin != first || end != last)
        return refuse(op, "reads some of the cells");
      graph.passedRanges.push_back(range);
      if (Error error = followReaders(range.getResult(), areOutputs))
        return error;
    }
  }
  return Error::success();
}

/// Returns true if a component without tensors is linear in each column
/// separately, for example one that truncates derivatives.
static bool actsOnColumns(ComponentOpInterface component) {
  using P = ComponentProperties;
  const P properties = component.getComponentProperties();
  return component.getTensors().empty() &&
         has(properties, P::PropagateInPlace | P::BackpropInPlace) &&
         !has(properties, P::BackpropNeedsInput) &&
         !has(properties, P::BackpropNeedsOutput) &&
         !has(properties, P::Random);
}

Error Follower::addReader(Operation *op, Value cells, bool areOutputs) {
  auto node = dyn_cast<ComponentNodeOp>(op);
  if (!node)
    return refuse(op, "reads cells, but applies no component");
  auto columns = findColumns(node, cells);
  if (!columns)
    return columns.takeError();
  if (node == graph.node) {
    if (areOutputs)
      return refuse(op, "reads its outputs as states");
    return Error::success();
  }
  ComponentOpInterface component = getOwnComponent(network, node);
  if (component && isMatrix(component))
    return addMatrix(component, *columns, areOutputs, op);
  if (component && actsOnColumns(component))
    return addPass(node, *columns, areOutputs);
  return refuse(op, "reads cells, but not by a matrix or a truncation of its "
                    "own");
}

Error Follower::followReaders(Value cells, bool areOutputs) {
  for (Operation *op : findReaders(network, cells))
    if (Error error = addReader(op, cells, areOutputs))
      return error;
  return Error::success();
}

Error Follower::follow() {
  if (!graph.component)
    return refuse(graph.node, "shares its component with another one");
  if (Error error = findGates())
    return error;
  if (Error error = findRanges())
    return error;
  if (graph.states)
    if (Error error = followReaders(graph.states.getResult(), false))
      return error;
  return followReaders(graph.outputs.getResult(), true);
}

llvm::Expected<CellGraph> mlir::nnet3::followCells(NetworkOp network,
                                                   ComponentNodeOp node) {
  CellGraph graph;
  graph.node = node;
  graph.component = getOwnComponent(network, node);
  graph.numCells = node.getResult().getType().getDim() / 2;
  if (Error error = Follower(network, graph).follow())
    return error;
  return graph;
}
