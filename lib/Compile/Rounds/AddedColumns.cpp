//===- AddedColumns.cpp - Derivatives before a backward pass --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AddedColumns.h"

#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The number of all columns of a row.
static constexpr uint64_t kAllColumns = 1;

AddedColumns::AddedColumns(const ComputationGraph &graph, const StepList &list,
                           const RowReaders &readers,
                           ArrayRef<StepRounds> rounds)
    : graph(graph), list(list), stacks(list, rounds, /*ofDerivs=*/true),
      lastToRow(graph.size(), -1), lastToMatrix(list.steps.size(), -1),
      lastToNode(graph.getNodes().size(), -1), views(graph.getNodes().size()) {
  const NodeTable &nodes = graph.getNodes();
  for (auto [number, node] : llvm::enumerate(nodes.getNodes()))
    if (node.kind == Node::Kind::DimRange)
      views[node.source].push_back(number);
  const int32_t numSteps = list.steps.size();
  std::vector<bool> isPart(numSteps);
  for (const StepRounds &its : rounds)
    std::fill(isPart.begin() + its.begin, isPart.begin() + its.end(), true);
  for (int32_t step = 0; step < numSteps; ++step) {
    if (!readers.hasDerivative(step))
      continue;
    const int32_t epoch = readers.getEpoch(step);
    readers.forEachRead(step, [&](int32_t read) {
      int32_t &last = isPart[step]
                          ? lastToRow[read]
                          : lastToMatrix[getMatrix(list.locations[read].step)];
      last = std::max(last, epoch);
      int32_t &lastTo = lastToNode[getOwner(graph.getCindex(read).node)];
      lastTo = std::max(lastTo, epoch);
    });
  }
}

int32_t AddedColumns::getOwner(int32_t node) const {
  const NodeTable &nodes = graph.getNodes();
  while (nodes[node].kind == Node::Kind::DimRange)
    node = nodes[node].source;
  return node;
}

AddedColumns::Row AddedColumns::getRow(int32_t id) const {
  return {graph.getCindex(id).node, id, getMatrix(list.locations[id].step)};
}

bool AddedColumns::isAdded(int32_t epoch, const Row &row) const {
  return (row.id >= 0 && lastToRow[row.id] > epoch) ||
         lastToMatrix[row.matrix] > epoch;
}

uint64_t AddedColumns::get(int32_t epoch, int32_t id) const {
  const Cindex &cindex = graph.getCindex(id);
  const int32_t owner = getOwner(cindex.node);
  if (lastToNode[owner] <= epoch)
    return 0;
  const Row row = getRow(id);
  if (isAdded(epoch, row))
    return kAllColumns;
  // Other dim-range nodes may have columns of this one.
  return owner == cindex.node
             ? getOfViews(epoch, row)
             : getWithViews(epoch, getRow(graph.find({owner, cindex.index})));
}

uint64_t AddedColumns::getWithViews(int32_t epoch, const Row &row) const {
  return isAdded(epoch, row) ? kAllColumns : getOfViews(epoch, row);
}

uint64_t AddedColumns::getOfViews(int32_t epoch, const Row &row) const {
  uint64_t added = 0;
  for (int32_t view : views[row.node]) {
    int32_t part =
        row.id < 0 ? -1 : graph.find({view, graph.getCindex(row.id).index});
    if (part >= 0 && !graph.isKept(part))
      part = -1;
    const int32_t columns = stacks.getColumns(row.matrix, view);
    if (part < 0 && columns < 0)
      continue;
    const Row viewed = part < 0 ? Row{view, -1, columns} : getRow(part);
    if (const uint64_t its = getWithViews(epoch, viewed))
      added += llvm::hash_combine(view, its);
  }
  return added;
}
