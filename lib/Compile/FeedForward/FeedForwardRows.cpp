//===- FeedForwardRows.cpp - All rows that may be read --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeedForward.h"

using namespace mlir;
using namespace mlir::nnet3;

bool FeedForwardGrower::isInput(const Cindex &cindex) const {
  if (!isSupplied[cindex.node])
    return false;
  int32_t id = graph.find(cindex);
  return id >= 0 && graph.isInput(id);
}

/// Adds the rows that one row may read.
void FeedForwardGrower::addRow(const Cindex &cindex) {
  if (isInput(cindex))
    return;
  getSources(cindex);
  for (const Cindex &source : sources)
    table.findOrInsert(source, 0);
  needsAll[cindex.node] = needsAll[cindex.node] && needsAllSources(cindex);
}

/// Adds the rows that the rows in slots `begin`, `begin` + `step`, ... of a
/// lane may read: those of the first one, shifted in time. False if the reads
/// are not shifted by a constant.
bool FeedForwardGrower::addRowsAtOnce(int32_t node, const Lane &lane,
                                      size_t begin, size_t end, size_t step) {
  int32_t distance = end - 1 - begin;
  if (isSupplied[node] || !isOrdinary(lane.at(begin).t) ||
      !isOrdinary(lane.at(end - 1).t))
    return false;
  Cindex first{node, lane.at(begin)};
  getSources({node, lane.at(end - 1)});
  SmallVector<Cindex, 16> ofLast(sources);
  getSources(first);
  // A read at a fixed time, such as that of the i-vector, does not shift.
  auto isFixed = [&](size_t i) {
    return distance > 0 && sources[i] == ofLast[i];
  };
  if (sources.size() != ofLast.size())
    return false;
  for (size_t i = 0; i < sources.size(); ++i) {
    Cindex moved = sources[i];
    moved.index.t += isFixed(i) ? 0 : distance;
    if (!isOrdinary(sources[i].index.t) || !(moved == ofLast[i]))
      return false;
  }
  for (auto [i, source] : llvm::enumerate(sources)) {
    if (isFixed(i))
      table.findOrInsert(source, 0);
    else if (!table.insertShifted(lane, begin, end, step, source))
      return false;
  }
  needsAll[node] = needsAll[node] && needsAllSources(first);
  return true;
}

/// Computes the time bounds of nodes, if there are optional components.
void FeedForwardGrower::findTimeBounds() {
  if (!llvm::is_contained(isOptional, true))
    return;
  std::vector<std::optional<TimeBounds>> supplied(nodes.size());
  for (int32_t id = 0; id < graph.size(); ++id) {
    if (!graph.isInput(id))
      continue;
    const Cindex &cindex = graph.getCindex(id);
    std::optional<TimeBounds> &times = supplied[cindex.node];
    int64_t t = cindex.index.t;
    // Times that may have saturated have no useful bounds.
    if (!isOrdinary(t))
      times = TimeBounds();
    else if (!times)
      times = TimeBounds{t, t};
    else
      times = TimeBounds{std::min(times->first, t), std::max(times->last, t)};
  }
  SmallVector<int32_t> order;
  for (ArrayRef<int32_t> epoch : epochs.nodes)
    order.push_back(epoch.front());
  bounds = computeTimeBounds(nodes, order, supplied);
}

/// Returns the times that an optional component reads for a row, if any of them
/// may be computable.
std::optional<TimeRange> FeedForwardGrower::getTimes(int32_t node,
                                                     const Index &index) const {
  ComponentOpInterface component = nodes[node].component;
  std::optional<TimeRange> times = component.getOptionalTimes(index);
  return times ? bounds[node - 1].clamp(*times) : std::nullopt;
}

/// Adds the rows of `node` at `times` with the n and x of `lane`.
void FeedForwardGrower::insert(int32_t node, const Lane &lane,
                               const TimeRange &times) {
  for (int64_t t = times.first; t <= times.last; t += times.step)
    table.findOrInsert({node, {lane.n, int32_t(t), lane.x}}, 0);
}

/// Adds the rows that the rows of an optional component may read. Their ranges
/// overlap; each time is added once.
void FeedForwardGrower::addOptionalRows(int32_t node, const Lane &lane,
                                        size_t begin, size_t end, size_t step) {
  needsAll[node] = false;
  std::optional<TimeRange> all;
  for (size_t slot = begin; slot < end; slot += step) {
    if (lane.ids[slot] < 0 || isInput({node, lane.at(slot)}))
      continue;
    ++evaluations;
    std::optional<TimeRange> times = getTimes(node, lane.at(slot));
    if (!times)
      continue;
    bool continues = all && times->first >= all->first &&
                     int64_t(times->first) <= int64_t(all->last) + all->step &&
                     (times->first - all->first) % all->step == 0;
    if (continues) {
      all->last = std::max(all->last, times->last);
      continue;
    }
    if (all)
      insert(node - 1, lane, *all);
    all = times;
  }
  if (all)
    insert(node - 1, lane, *all);
}

/// Adds the rows that the rows of a lane may read whose times, relative to the
/// lane's first, are `residue` modulo the node's modulus.
void FeedForwardGrower::addClass(int32_t node, const Lane &lane,
                                 size_t residue) {
  size_t step = nodes[node].modulus;
  size_t begin = residue, end = lane.ids.size();
  end -= (end - 1 - residue) % step; // after the last one of the class
  while (begin < end && lane.ids[begin] < 0)
    begin += step;
  while (begin < end && lane.ids[end - 1] < 0)
    end -= step;
  if (begin < end && isOptional[node])
    return addOptionalRows(node, lane, begin, end, step);
  if (begin >= end || addRowsAtOnce(node, lane, begin, end, step))
    return;
  for (size_t slot = begin; slot < end; slot += step)
    if (lane.ids[slot] >= 0)
      addRow({node, lane.at(slot)});
}

/// Adds the rows that the rows of a node may read.
void FeedForwardGrower::addSources(int32_t node) {
  if (nodes[node].kind == Node::Kind::Input)
    return;
  if (has(nodes[node].properties, ComponentProperties::Simple) &&
      !isSupplied[node]) {
    table.copyNode(node, node - 1);
    return;
  }
  for (const Lane &lane : table.getLanes(node)) {
    size_t numClasses = std::min<int64_t>(nodes[node].modulus, lane.ids.size());
    for (size_t residue = 0; residue < numClasses; ++residue)
      addClass(node, lane, residue);
  }
  for (const Index &index : table.getOutliers(node))
    addRow({node, index});
}

/// Numbers the rows, those of a node in order.
void FeedForwardGrower::number() {
  cindexes.reserve(size);
  for (int32_t node = 0; node < nodes.size(); ++node) {
    firstRow[node] = cindexes.size();
    table.number(node, cindexes);
    numRows[node] = cindexes.size() - firstRow[node];
  }
  input.resize(size);
  for (int32_t id = 0; id < graph.size(); ++id)
    if (graph.isInput(id))
      input[table.find(graph.getCindex(id))] = true;
}

/// Adds all rows that may be read; false if there are too many.
bool FeedForwardGrower::collect() {
  for (int32_t id = 0; id < graph.size(); ++id) {
    table.findOrInsert(graph.getCindex(id), 0);
    if (graph.isInput(id))
      isSupplied[graph.getCindex(id).node] = true;
  }
  findTimeBounds();
  for (ArrayRef<int32_t> epoch : llvm::reverse(epochs.nodes)) {
    addSources(epoch.front());
    size += table.count(epoch.front());
    if (size > ComputationGraph::kMaxRows)
      return false;
  }
  number();
  return true;
}
