//===- FeedForwardComputable.cpp - Computable and used rows ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeedForward.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Computable rows
//===----------------------------------------------------------------------===//

/// Whether any row that a row of an optional component reads is computable.
bool FeedForwardGrower::isAnyComputable(const Cindex &cindex) const {
  std::optional<TimeRange> times = getTimes(cindex.node, cindex.index);
  const Index &index = cindex.index;
  for (int64_t t = times ? times->first : 1; t <= (times ? times->last : 0);
       t += times->step)
    if (isYes({cindex.node - 1, {index.n, int32_t(t), index.x}}))
      return true;
  return false;
}

bool FeedForwardGrower::decideRow(int32_t id) {
  const Cindex &cindex = cindexes[id];
  if (input[id] || nodes[cindex.node].kind == Node::Kind::Input)
    return input[id];
  if (isOptional[cindex.node]) {
    ++evaluations;
    return isAnyComputable(cindex);
  }
  auto isAvailable = [&](const Cindex &source) { return isYes(source); };
  if (!needsAllSources(cindex)) {
    ++evaluations;
    return isComputable(nodes, cindex, isAvailable);
  }
  getSources(cindex);
  return llvm::all_of(sources, isAvailable);
}

void FeedForwardGrower::decideNode(int32_t node) {
  int32_t first = firstRow[node], end = first + numRows[node];
  if (nodes[node].kind != Node::Kind::Input && allComputable &&
      needsAll[node]) {
    std::fill(computable.begin() + first, computable.begin() + end,
              Computable::Yes);
    return;
  }
  for (int32_t id = first; id < end; ++id) {
    bool yes = decideRow(id);
    computable[id] = yes ? Computable::Yes : Computable::No;
    allComputable = allComputable && yes;
  }
}

void FeedForwardGrower::decide() {
  computable.resize(size);
  for (ArrayRef<int32_t> epoch : epochs.nodes)
    decideNode(epoch.front());
}

bool FeedForwardGrower::areOutputsComputable() const {
  if (allComputable)
    return true;
  for (int32_t id = 0; id < size; ++id)
    if (nodes[cindexes[id].node].isOutput && computable[id] != Computable::Yes)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Used rows
//===----------------------------------------------------------------------===//

/// Keeps the rows that the kept rows of an optional component read. Both the
/// rows of a sequence and their reads are ordered by time, so rows that are
/// already kept are skipped.
void FeedForwardGrower::keepOptionalRows(int32_t node) {
  DenseMap<std::pair<int32_t, int32_t>, int64_t> keptUpTo;
  for (int32_t id = firstRow[node]; id < firstRow[node] + numRows[node]; ++id) {
    const Index &index = cindexes[id].index;
    std::optional<TimeRange> times;
    if (kept[id] && !input[id])
      times = getTimes(node, index);
    if (!times)
      continue;
    auto [upTo, isFirst] =
        keptUpTo.try_emplace({index.n, index.x}, times->last);
    int64_t begin = times->first;
    if (!isFirst && upTo->second >= begin)
      begin += (upTo->second - begin) / times->step * times->step;
    upTo->second = std::max<int64_t>(upTo->second, times->last);
    for (int64_t t = begin; t <= times->last; t += times->step) {
      Cindex source{node - 1, {index.n, int32_t(t), index.x}};
      if (int32_t s = table.find(source);
          s >= 0 && computable[s] == Computable::Yes)
        kept[s] = true;
    }
  }
}

void FeedForwardGrower::pruneNode(int32_t node) {
  if (nodes[node].kind == Node::Kind::Input)
    return;
  if (isOptional[node])
    return keepOptionalRows(node);
  for (int32_t id = firstRow[node]; id < firstRow[node] + numRows[node]; ++id) {
    kept[id] |= nodes[node].isOutput;
    if (!kept[id] || input[id])
      continue;
    const Cindex &cindex = cindexes[id];
    if (needsAllSources(cindex)) {
      getSources(cindex);
    } else {
      sources.clear();
      isComputable(
          nodes, cindex, [&](const Cindex &c) { return isYes(c); }, &sources);
    }
    for (const Cindex &source : sources)
      kept[table.find(source)] = true;
  }
}

void FeedForwardGrower::prune() {
  if (allComputable && !llvm::is_contained(needsAll, false)) {
    kept.assign(size, true);
    return;
  }
  kept = input;
  for (ArrayRef<int32_t> epoch : llvm::reverse(epochs.nodes))
    pruneNode(epoch.front());
}
