//===- Steps.cpp - Matrices of a computation ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Steps.h"

#include <set>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class StepBuilder {
public:
  StepBuilder(const ComputationGraph &graph, const RequestRows &request)
      : graph(graph), nodes(graph.getNodes()), request(request) {
    result.locations.resize(graph.size());
    for (const IoRows &io : request.inputs)
      inputs[io.node] = &io;
    for (const IoRows &io : request.outputs)
      outputs[io.node] = &io;
  }

  FailureOr<StepList> run(const Phases &phases) {
    // A component has two steps.
    size_t count = 0;
    for (const std::vector<SubPhase> &phase : phases)
      count += 2 * phase.size();
    result.steps.reserve(count);
    for (const std::vector<SubPhase> &phase : phases)
      for (const SubPhase &subPhase : phase)
        if (failed(add(subPhase)))
          return failure();
    return std::move(result);
  }

private:
  LogicalResult add(const SubPhase &subPhase);
  LogicalResult addComponent(const SubPhase &subPhase);
  SmallVector<Index> getUsedIndexes(const SubPhase &subPhase) const;
  void addDimRange(const SubPhase &subPhase);

  /// Appends a step and records the locations of its rows.
  int32_t append(int32_t node, IndexRows rows) {
    int32_t number = result.steps.size();
    RowFinder finder(graph);
    for (auto [entry, index] : llvm::enumerate(rows.rows)) {
      int32_t id = finder.find({node, index});
      if (id >= 0 && graph.isKept(id))
        result.locations[id] = {number, int32_t(entry)};
    }
    result.steps.push_back({node, std::move(rows)});
    return number;
  }

  /// Returns rows with the sequences innermost.
  IndexRows makeRows(SmallVector<Index> rows) const {
    return IndexRows(std::move(rows), request.sequences, /*block=*/1);
  }

  SmallVector<Index> getIndexes(ArrayRef<int32_t> ids) const {
    SmallVector<Index> indexes;
    indexes.reserve(ids.size());
    for (int32_t id : ids)
      indexes.push_back(graph.getCindex(id).index);
    return indexes;
  }

  const ComputationGraph &graph;
  const NodeTable &nodes;
  const RequestRows &request;
  DenseMap<int32_t, const IoRows *> inputs, outputs;
  std::set<std::pair<int32_t, int32_t>> slices; // (source step, node)
  StepList result;
};
} // namespace

LogicalResult StepBuilder::add(const SubPhase &subPhase) {
  const Node &node = nodes[subPhase.node];
  if (graph.isInput(subPhase.ids.front())) {
    int32_t step = append(subPhase.node, inputs[subPhase.node]->rows);
    result.steps[step].isInput = true;
    return success();
  }
  if (node.isOutput) {
    append(subPhase.node, outputs[subPhase.node]->rows);
    return success();
  }
  // A component's input is laid out together with the component.
  if (node.isComponentInput())
    return success();
  if (node.kind == Node::Kind::Component)
    return addComponent(subPhase);
  assert(node.kind == Node::Kind::DimRange && "all kinds are handled");
  addDimRange(subPhase);
  return success();
}

/// Returns the rows of its input that a component uses, sorted.
SmallVector<Index> StepBuilder::getUsedIndexes(const SubPhase &subPhase) const {
  SmallVector<Index> used;
  if (graph.isFeedForward()) {
    // All rows are computed together, and only the component reads its input.
    auto [first, last] = graph.getRows(subPhase.node - 1);
    used.reserve(last - first);
    for (int32_t id = first; id < last; ++id)
      if (graph.isKept(id))
        used.push_back(graph.getCindex(id).index);
    return used;
  }
  for (int32_t id : subPhase.ids)
    for (int32_t dependency : graph.getDependencies(id))
      used.push_back(graph.getCindex(dependency).index);
  llvm::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

LogicalResult StepBuilder::addComponent(const SubPhase &subPhase) {
  const Node &node = nodes[subPhase.node];
  IndexRows outputRows = makeRows(getIndexes(subPhase.ids));
  if (has(node.properties, ComponentProperties::Simple)) {
    append(subPhase.node - 1, outputRows);
    append(subPhase.node, std::move(outputRows));
    return success();
  }
  IndexRows inputRows = makeRows(getUsedIndexes(subPhase));
  ComponentOpInterface component = node.component;
  if (has(node.properties, ComponentProperties::ReordersIndexes) &&
      failed(component.reorderIndexes(inputRows, outputRows)))
    return failure();
  append(subPhase.node - 1, std::move(inputRows));
  append(subPhase.node, std::move(outputRows));
  return success();
}

void StepBuilder::addDimRange(const SubPhase &subPhase) {
  const Node &node = nodes[subPhase.node];
  std::set<int32_t> sources;
  for (int32_t id : subPhase.ids) {
    int32_t source = graph.find({node.source, graph.getCindex(id).index});
    sources.insert(result.locations[source].step);
  }
  for (int32_t source : sources) {
    if (!slices.insert({source, subPhase.node}).second)
      continue;
    IndexRows rows = result.steps[source].rows;
    int32_t step = append(subPhase.node, std::move(rows));
    result.steps[step].source = source;
  }
}

FailureOr<StepList> mlir::nnet3::computeSteps(const ComputationGraph &graph,
                                              const Phases &phases,
                                              const RequestRows &request) {
  return StepBuilder(graph, request).run(phases);
}
