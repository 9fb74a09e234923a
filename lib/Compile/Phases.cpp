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
    for (int32_t node = 0; node < nodes.size(); ++node)
      addRows(node, inputs[node]);
    for (ArrayRef<int32_t> members : epochs.nodes) {
      ++phase;
      if (members.size() == 1)
        addRows(members.front(), rows[members.front()]);
      else if (failed(addRecurrence(members)))
        return failure();
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

  /// Adds rows of a node to the current phase.
  void addRows(int32_t node, ArrayRef<int32_t> list) {
    const int32_t begin = phases.ids.size();
    phases.ids.insert(phases.ids.end(), list.begin(), list.end());
    if (!list.empty())
      phases.subPhases.push_back(
          {phase, node, begin, int32_t(phases.ids.size())});
  }

  /// Orders the rows of a strongly connected component: phase k + 1 holds the
  /// rows whose dependencies within it are all in phases up to k.
  LogicalResult addRecurrence(ArrayRef<int32_t> members);
  void linkRows(ArrayRef<int32_t> members);
  void addReady(int32_t begin, int32_t end);

  const ComputationGraph &graph;
  const NodeTable &nodes;
  Location loc;
  Phases phases;
  int32_t phase = 0;
  NodeEpochs epochs;
  std::vector<std::vector<int32_t>> rows, inputs;
  /// For each row of a recurrence: the number of its dependencies without a
  /// phase, and its users, as linked lists of (row, next link).
  std::vector<int32_t> missing, users;
  std::vector<std::pair<int32_t, int32_t>> links;
};
} // namespace

/// Counts for each row of the recurrence its dependencies within it, and
/// records the users of each. Appends the rows without dependencies.
void PhaseBuilder::linkRows(ArrayRef<int32_t> members) {
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
        phases.ids.push_back(id);
    }
}

/// Adds a phase of the rows at [`begin`, `end`), which are the last. Appends
/// the rows whose dependencies all have a phase then.
void PhaseBuilder::addReady(int32_t begin, int32_t end) {
  std::vector<int32_t> &ids = phases.ids;
  std::sort(ids.begin() + begin, ids.begin() + end, [&](int32_t a, int32_t b) {
    return graph.getCindex(a) < graph.getCindex(b);
  });
  for (int32_t i = begin; i < end; ++i) {
    const int32_t node = graph.getCindex(ids[i]).node;
    if (i == begin || phases.subPhases.back().node != node)
      phases.subPhases.push_back({phase, node, i, i});
    phases.subPhases.back().end = i + 1;
    for (int32_t link = users[ids[i]]; link >= 0; link = links[link].second)
      if (--missing[links[link].first] == 0)
        ids.push_back(links[link].first);
  }
}

LogicalResult PhaseBuilder::addRecurrence(ArrayRef<int32_t> members) {
  size_t remaining = 0;
  for (int32_t node : members)
    remaining += rows[node].size();
  int32_t begin = phases.ids.size();
  linkRows(members);
  for (int32_t end; begin < (end = phases.ids.size()); begin = end, ++phase) {
    addReady(begin, end);
    remaining -= end - begin;
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
