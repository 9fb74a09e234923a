//===- RowReaders.cpp - Which rows are read where -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowReaders.h"

#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Stands for all columns of a row, unlike those of dim-range nodes.
static constexpr uint64_t kAllColumns = 1;

RowReaders::RowReaders(const ComputationGraph &graph, const StepList &list,
                       const std::vector<bool> &needed)
    : graph(graph), list(list), needed(needed),
      epochs(computeEpochs(graph.getNodes())), readOutside(list.steps.size()),
      lastReader(graph.size(), -1), views(graph.getNodes().size()) {
  const NodeTable &nodes = graph.getNodes();
  for (auto [number, node] : llvm::enumerate(nodes.getNodes()))
    if (node.kind == Node::Kind::DimRange)
      views[node.source].push_back(number);
  for (int32_t id = 0; id < graph.size(); ++id) {
    if (!graph.isKept(id))
      continue;
    const int32_t node = graph.getCindex(id).node;
    const int32_t epoch = epochs.epochOf[node];
    const bool adds = needed[list.locations[id].step] &&
                      nodes[node].kind != Node::Kind::DimRange;
    for (int32_t read : graph.getDependencies(id)) {
      if (epochs.epochOf[graph.getCindex(read).node] != epoch)
        readOutside[list.locations[read].step] = true;
      if (adds)
        lastReader[read] = std::max(lastReader[read], epoch);
    }
  }
}

uint64_t RowReaders::getAdded(int32_t epoch, int32_t id) const {
  if (lastReader[id] > epoch)
    return kAllColumns;
  // Other dim-range nodes may have columns of this one.
  const NodeTable &nodes = graph.getNodes();
  while (nodes[graph.getCindex(id).node].kind == Node::Kind::DimRange)
    id = graph.find(
        {nodes[graph.getCindex(id).node].source, graph.getCindex(id).index});
  return getAddedToViews(epoch, id);
}

uint64_t RowReaders::getAddedToViews(int32_t epoch, int32_t id) const {
  if (lastReader[id] > epoch)
    return kAllColumns;
  const auto &[node, index] = graph.getCindex(id);
  uint64_t added = 0;
  for (int32_t view : views[node]) {
    const int32_t part = graph.find({view, index});
    if (const uint64_t its = part < 0 ? 0 : getAddedToViews(epoch, part))
      added += llvm::hash_combine(view, its);
  }
  return added;
}
