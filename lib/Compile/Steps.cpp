//===- Steps.cpp - Matrices of a computation ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Steps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class StepBuilder {
public:
  StepBuilder(const ComputationGraph &graph, const Phases &phases,
              const RequestRows &request)
      : graph(graph), nodes(graph.getNodes()), phases(phases),
        request(request) {
    result.locations.resize(graph.size());
    for (const IoRows &io : request.inputs)
      inputs[io.node] = &io;
    for (const IoRows &io : request.outputs)
      outputs[io.node] = &io;
  }

  FailureOr<StepList> run() {
    // A component has two steps.
    result.steps.reserve(2 * phases.subPhases.size());
    result.ids.reserve(2 * phases.ids.size());
    for (const SubPhase &subPhase : phases.subPhases)
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
  int32_t append(int32_t node, IndexRows &&rows) {
    const int32_t number = result.steps.size(), firstId = result.ids.size();
    RowFinder finder(graph);
    for (auto [entry, index] : llvm::enumerate(rows.rows)) {
      int32_t id = index.isBlank() ? -1 : finder.find({node, index});
      if (id >= 0 && !graph.isKept(id))
        id = -1;
      if (id >= 0)
        result.locations[id] = {number, int32_t(entry)};
      result.ids.push_back(id);
    }
    Step &step = result.steps.emplace_back();
    step.node = node;
    step.rows = std::move(rows);
    step.firstId = firstId;
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
  const Phases &phases;
  const RequestRows &request;
  DenseMap<int32_t, const IoRows *> inputs, outputs;
  StepList result;
};
} // namespace

LogicalResult StepBuilder::add(const SubPhase &subPhase) {
  const Node &node = nodes[subPhase.node];
  if (graph.isInput(phases.ids[subPhase.begin])) {
    int32_t step =
        append(subPhase.node, IndexRows(inputs[subPhase.node]->rows));
    result.steps[step].isInput = true;
    return success();
  }
  if (node.isOutput) {
    append(subPhase.node, IndexRows(outputs[subPhase.node]->rows));
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
  for (int32_t id : phases.getIds(subPhase))
    for (int32_t dependency : graph.getDependencies(id))
      used.push_back(graph.getCindex(dependency).index);
  llvm::sort(used);
  used.erase(llvm::unique(used), used.end());
  return used;
}

LogicalResult StepBuilder::addComponent(const SubPhase &subPhase) {
  const Node &node = nodes[subPhase.node];
  IndexRows outputRows = makeRows(getIndexes(phases.getIds(subPhase)));
  if (has(node.properties, ComponentProperties::Simple)) {
    append(subPhase.node - 1, IndexRows(outputRows));
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
  SmallVector<int32_t> sources;
  for (int32_t id : phases.getIds(subPhase)) {
    if (result.locations[id].step >= 0)
      continue; // in the columns of a step that an earlier phase has taken
    int32_t source = graph.find({node.source, graph.getCindex(id).index});
    sources.push_back(result.locations[source].step);
  }
  llvm::sort(sources);
  sources.erase(llvm::unique(sources), sources.end());
  for (int32_t source : sources) {
    IndexRows rows = result.steps[source].rows;
    int32_t step = append(subPhase.node, std::move(rows));
    result.steps[step].source = source;
  }
}

FailureOr<StepList> mlir::nnet3::computeSteps(const ComputationGraph &graph,
                                              const Phases &phases,
                                              const RequestRows &request) {
  return StepBuilder(graph, phases, request).run();
}
