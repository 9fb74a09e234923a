//===- FeedForward.cpp - The graph of a network without recurrences -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeedForward.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// The reads of a row
//===----------------------------------------------------------------------===//

const ReadPattern *FeedForwardGrower::getPattern(const Cindex &cindex) {
  std::optional<ComponentReads> &component = reads[cindex.node];
  return component ? component->get(cindex.index) : nullptr;
}

bool FeedForwardGrower::needsAllSources(const Cindex &cindex) {
  if (nodes[cindex.node].needsAllDependencies)
    return true;
  if (isOptional[cindex.node])
    return false;
  const ReadPattern *pattern = getPattern(cindex);
  return pattern && pattern->needsAll;
}

/// Sets `sources` to the rows that a row may read.
void FeedForwardGrower::getSources(const Cindex &cindex) {
  ++evaluations;
  sources.clear();
  const ReadPattern *pattern = getPattern(cindex);
  if (!pattern)
    return getSourceRows(nodes, cindex, sources);
  const Index &index = cindex.index;
  for (const ReadPattern::Source &source : pattern->sources)
    sources.push_back(
        {cindex.node - 1, {index.n, index.t + source.distance, source.x}});
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

void FeedForwardGrower::install() {
  graph.table = std::move(table);
  graph.cindexes = std::move(cindexes);
  graph.input = std::move(input);
  graph.kept = std::move(kept);
  graph.computable = std::move(computable);
  graph.firstRow = std::move(firstRow);
  graph.numRows = std::move(numRows);
  graph.evaluations = evaluations;
  // State of the row-by-row algorithm.
  graph.growth = {};
  graph.current = graph.next = {};
}

bool FeedForwardGrower::hasRecurrences() const {
  return llvm::any_of(epochs.nodes, [](const auto &e) { return e.size() > 1; });
}

bool FeedForwardGrower::grow() {
  if (hasRecurrences() || !collect())
    return false;
  decide();
  if (!areOutputsComputable())
    return false;
  prune();
  install();
  return true;
}

bool FeedForwardGrower::decideAll() {
  if (hasRecurrences() || !collect())
    return false;
  decide();
  install();
  return true;
}

bool ComputationGraph::computeFeedForward() {
  return FeedForwardGrower(*this).grow();
}

bool ComputationGraph::decideFeedForward() {
  return FeedForwardGrower(*this).decideAll();
}

void ComputationGraph::getUsedRows(int32_t id,
                                   SmallVectorImpl<int32_t> &rows) const {
  if (!isFeedForward()) {
    llvm::append_range(rows, getDependencies(id));
    return;
  }
  const Cindex &cindex = cindexes[id];
  if (input[id] || nodes[cindex.node].kind == Node::Kind::Input)
    return;
  SmallVector<Cindex, 16> sources;
  auto isUsable = [&](const Cindex &source) {
    int32_t s = find(source);
    return s >= 0 && kept[s];
  };
  if (nodes[cindex.node].needsAllDependencies)
    getSourceRows(nodes, cindex, sources);
  else
    isComputable(nodes, cindex, isUsable, &sources);
  for (const Cindex &source : sources)
    rows.push_back(find(source));
}
