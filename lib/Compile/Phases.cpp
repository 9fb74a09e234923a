//===- Phases.cpp - The order in which rows are computed ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Phases.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class PhaseBuilder {
public:
  PhaseBuilder(const ComputationGraph &graph, Location loc)
      : graph(graph), nodes(graph.getNodes()), loc(loc),
        epochs(computeEpochs(nodes)) {}

  FailureOr<Phases> run() {
    collect();
    addInputs();
    for (ArrayRef<int32_t> members : epochs.nodes) {
      int32_t first = members.front();
      if (members.size() > 1) {
        if (failed(addRecurrence(members)))
          return failure();
      } else if (!rows[first].empty()) {
        phases.emplace_back().push_back({first, std::move(rows[first])});
      }
    }
    return std::move(phases);
  }

private:
  /// The kept rows of each node, sorted.
  void collect() {
    rows.resize(nodes.size());
    inputs.resize(nodes.size());
    std::vector<int32_t> counts(nodes.size());
    for (int32_t id = 0; id < graph.size(); ++id)
      counts[graph.getCindex(id).node] += graph.isKept(id);
    for (int32_t node = 0; node < nodes.size(); ++node)
      rows[node].reserve(counts[node]);
    for (int32_t id = 0; id < graph.size(); ++id)
      if (graph.isKept(id)) {
        int32_t node = graph.getCindex(id).node;
        (graph.isInput(id) ? inputs : rows)[node].push_back(id);
      }
    auto before = [&](int32_t a, int32_t b) {
      return graph.getCindex(a).index < graph.getCindex(b).index;
    };
    for (auto *lists : {&rows, &inputs})
      for (std::vector<int32_t> &list : *lists)
        if (!graph.isFeedForward())
          llvm::sort(list, before);
  }

  void addInputs() {
    std::vector<SubPhase> phase;
    for (int32_t node = 0; node < nodes.size(); ++node)
      if (!inputs[node].empty())
        phase.push_back({node, std::move(inputs[node])});
    if (!phase.empty())
      phases.push_back(std::move(phase));
  }

  /// Orders the rows of a strongly connected component: phase k + 1 holds the
  /// rows whose dependencies within it are all in phases up to k.
  LogicalResult addRecurrence(ArrayRef<int32_t> members);
  std::vector<int32_t> linkRows(ArrayRef<int32_t> members);

  const ComputationGraph &graph;
  const NodeTable &nodes;
  Location loc;
  Phases phases;
  NodeEpochs epochs;
  std::vector<std::vector<int32_t>> rows, inputs;
  /// For each row of a recurrence: the number of its dependencies without a
  /// phase, and its users, as linked lists of (row, next link).
  std::vector<int32_t> missing, users;
  std::vector<std::pair<int32_t, int32_t>> links;
};
} // namespace

/// Counts for each row of the recurrence its dependencies within it, and
/// records the users of each. Returns the rows without dependencies.
std::vector<int32_t> PhaseBuilder::linkRows(ArrayRef<int32_t> members) {
  std::vector<int32_t> ready;
  int32_t epoch = epochs.epochOf[members.front()];
  missing.resize(graph.size());
  users.resize(graph.size(), -1);
  links.clear();
  for (int32_t node : members)
    for (int32_t id : rows[node]) {
      for (int32_t dependency : graph.getDependencies(id)) {
        if (graph.isInput(dependency) ||
            epochs.epochOf[graph.getCindex(dependency).node] != epoch)
          continue;
        links.push_back({id, users[dependency]});
        users[dependency] = links.size() - 1;
        ++missing[id];
      }
      if (missing[id] == 0)
        ready.push_back(id);
    }
  return ready;
}

LogicalResult PhaseBuilder::addRecurrence(ArrayRef<int32_t> members) {
  std::vector<int32_t> ready = linkRows(members);
  size_t remaining = 0;
  for (int32_t node : members)
    remaining += rows[node].size();
  while (!ready.empty()) {
    remaining -= ready.size();
    llvm::sort(ready, [&](int32_t a, int32_t b) {
      return graph.getCindex(a) < graph.getCindex(b);
    });
    std::vector<SubPhase> &phase = phases.emplace_back();
    std::vector<int32_t> next;
    for (int32_t id : ready) {
      int32_t node = graph.getCindex(id).node;
      if (phase.empty() || phase.back().node != node)
        phase.push_back({node, {}});
      phase.back().ids.push_back(id);
      for (int32_t link = users[id]; link >= 0; link = links[link].second)
        if (--missing[links[link].first] == 0)
          next.push_back(links[link].first);
    }
    ready = std::move(next);
  }
  if (remaining == 0)
    return success();
  InFlightDiagnostic diag = emitError(loc, "recurrence cannot be computed: ")
                            << "rows of these nodes depend on each other";
  for (int32_t node : members)
    if (!nodes[node].isComponentInput())
      diag.attachNote(nodes[node].op->getLoc())
          << "node '" << nodes[node].name << "'";
  return diag;
}

FailureOr<Phases> mlir::nnet3::computePhases(const ComputationGraph &graph,
                                             Location loc) {
  return PhaseBuilder(graph, loc).run();
}
