//===- Padding.cpp - Outputs that depend on the input's end ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Padding.h"
#include "RequestGraph.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Follows the rows that outputs depend on, each once.
class PaddingFinder {
public:
  PaddingFinder(const ComputationGraph &graph, const RequestRows &rows)
      : graph(graph), visited(graph.size()) {
    findEnds(rows.inputs);
  }

  /// Number of input times after the last one that the output rows visited so
  /// far depend on.
  int64_t visit(int32_t output);

private:
  void findEnds(ArrayRef<IoRows> inputs);

  const ComputationGraph &graph;
  std::vector<bool> visited;
  /// The last time of each input node with rows at several times. The single
  /// row of an i-vector is not padding.
  std::map<int32_t, int64_t> ends;
  int64_t unused = std::numeric_limits<int64_t>::max();
};
} // namespace

void PaddingFinder::findEnds(ArrayRef<IoRows> inputs) {
  for (const IoRows &io : inputs) {
    auto [first, last] = std::minmax_element(
        io.rows.rows.begin(), io.rows.rows.end(),
        [](const Index &a, const Index &b) { return a.t < b.t; });
    if (first->t != last->t)
      ends[io.node] = last->t;
  }
}

int64_t PaddingFinder::visit(int32_t output) {
  SmallVector<int32_t> stack = {output};
  SmallVector<int32_t> used;
  while (!stack.empty()) {
    int32_t id = stack.pop_back_val();
    if (visited[id])
      continue;
    visited[id] = true;
    const Cindex &cindex = graph.getCindex(id);
    if (graph.isInput(id)) {
      auto end = ends.find(cindex.node);
      if (end != ends.end())
        unused = std::min(unused, end->second - cindex.index.t);
      continue;
    }
    used.clear();
    graph.getUsedRows(id, used);
    stack.append(used);
  }
  return unused;
}

FailureOr<int64_t> mlir::nnet3::findMinOutputs(RequestOp request,
                                               const NodeTable &nodes) {
  FailureOr<RequestRows> rows = readRequest(request, nodes, /*fold=*/true);
  if (failed(rows))
    return failure();
  std::map<int32_t, SmallVector<Cindex, 1>> byTime;
  for (const IoRows &io : rows->outputs)
    for (const Index &index : io.rows.rows)
      byTime[index.t].push_back({io.node, index});
  if (mixesRows(nodes))
    return byTime.size();
  ComputationGraph graph(nodes);
  if (failed(buildGraph(graph, *rows, request)))
    return failure();
  PaddingFinder finder(graph, *rows);
  const int64_t last = byTime.rbegin()->first;
  int64_t count = 0, result = 1;
  for (const auto &[t, outputs] : byTime) {
    ++count;
    int64_t unused = 0;
    for (const Cindex &output : outputs)
      unused = finder.visit(graph.find(output));
    if (unused < last - t)
      result = count + 1;
  }
  return result;
}
