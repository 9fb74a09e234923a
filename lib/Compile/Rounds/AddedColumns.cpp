//===- AddedColumns.cpp - Derivatives before a backward pass --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AddedColumns.h"

#include "llvm/ADT/Hashing.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

/// The number of all columns of a row.
static constexpr uint64_t kAllColumns = 1;

AddedColumns::AddedColumns(const ComputationGraph &graph, const StepList &list,
                           const RowReaders &readers,
                           ArrayRef<StepRounds> rounds)
    : graph(graph), list(list), matrixOf(list.steps.size()),
      lastToRow(graph.size(), -1), lastToMatrix(list.steps.size(), -1),
      views(graph.getNodes().size()) {
  const NodeTable &nodes = graph.getNodes();
  for (auto [number, node] : llvm::enumerate(nodes.getNodes()))
    if (node.kind == Node::Kind::DimRange)
      views[node.source].push_back(number);
  const int32_t numSteps = list.steps.size();
  std::iota(matrixOf.begin(), matrixOf.end(), 0);
  std::vector<bool> isPart(numSteps);
  for (const StepRounds &its : rounds)
    for (int32_t step = its.begin; step < its.end(); ++step) {
      isPart[step] = true;
      if (its.stackedDerivs[its.getNumber(step)])
        matrixOf[step] = its.begin + its.getNumber(step);
    }
  for (int32_t step = 0; step < numSteps; ++step) {
    if (!readers.hasDerivative(step))
      continue;
    const int32_t epoch = readers.getEpoch(step);
    readers.forEachRead(step, [&](int32_t read) {
      int32_t &last = isPart[step]
                          ? lastToRow[read]
                          : lastToMatrix[matrixOf[list.locations[read].step]];
      last = std::max(last, epoch);
    });
  }
}

bool AddedColumns::isAdded(int32_t epoch, int32_t id) const {
  return lastToRow[id] > epoch ||
         lastToMatrix[matrixOf[list.locations[id].step]] > epoch;
}

uint64_t AddedColumns::get(int32_t epoch, int32_t id) const {
  if (isAdded(epoch, id))
    return kAllColumns;
  // Other dim-range nodes may have columns of this one.
  const NodeTable &nodes = graph.getNodes();
  while (nodes[graph.getCindex(id).node].kind == Node::Kind::DimRange)
    id = graph.find(
        {nodes[graph.getCindex(id).node].source, graph.getCindex(id).index});
  return getOfViews(epoch, id);
}

uint64_t AddedColumns::getOfViews(int32_t epoch, int32_t id) const {
  if (isAdded(epoch, id))
    return kAllColumns;
  const auto &[node, index] = graph.getCindex(id);
  uint64_t added = 0;
  for (int32_t view : views[node]) {
    const int32_t part = graph.find({view, index});
    if (part < 0 || !graph.isKept(part))
      continue;
    if (const uint64_t its = getOfViews(epoch, part))
      added += llvm::hash_combine(view, its);
  }
  return added;
}
