//===- CindexTable.cpp - Dense numbers for Cindexes -----------------------===//

#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

/// A lane covers at most this many times more frames than it has rows, plus a
/// constant; rows further away are hashed.
static constexpr int64_t kMaxSparsity = 64;
static constexpr int64_t kMinSpan = 4096;
/// With more lanes than this a node looks them up by hashing.
static constexpr size_t kMaxLinearLanes = 4;

static uint64_t laneKey(const Index &index) {
  return uint64_t(uint32_t(index.n)) << 32 | uint32_t(index.x);
}

CindexTable::Lane *CindexTable::findLane(int32_t node, uint64_t key) const {
  const NodeLanes &lanes = nodes[node];
  auto &list = const_cast<NodeLanes &>(lanes).lanes;
  if (size_t(lanes.last) < list.size() && list[lanes.last].first == key)
    return &list[lanes.last].second;
  if (list.size() <= kMaxLinearLanes) {
    for (auto [i, lane] : llvm::enumerate(list))
      if (lane.first == key) {
        lanes.last = i;
        return &lane.second;
      }
    return nullptr;
  }
  auto entry = lanes.laneOf.find(key);
  if (entry == lanes.laneOf.end())
    return nullptr;
  lanes.last = entry->second;
  return &list[entry->second].second;
}

CindexTable::Lane &CindexTable::getLane(int32_t node, uint64_t key) {
  if (Lane *lane = findLane(node, key))
    return *lane;
  NodeLanes &lanes = nodes[node];
  lanes.lanes.push_back({key, Lane()});
  if (lanes.lanes.size() > kMaxLinearLanes)
    for (size_t i = lanes.laneOf.size(); i < lanes.lanes.size(); ++i)
      lanes.laneOf[lanes.lanes[i].first] = i;
  return lanes.lanes.back().second;
}

int32_t *CindexTable::findSlot(const Cindex &cindex) const {
  const Index &index = cindex.index;
  if (Lane *lane = findLane(cindex.node, laneKey(index))) {
    int64_t slot = int64_t(index.t) - lane->first;
    if (slot >= 0 && slot < int64_t(lane->ids.size()) && lane->ids[slot] >= 0)
      return &lane->ids[slot];
  }
  if (outliers.empty())
    return nullptr;
  auto entry = outliers.find({cindex.node, index});
  return entry == outliers.end() ? nullptr
                                 : const_cast<int32_t *>(&entry->second);
}

int32_t CindexTable::find(const Cindex &cindex) const {
  const int32_t *slot = findSlot(cindex);
  return slot ? *slot : -1;
}

int32_t CindexTable::findOrInsert(const Cindex &cindex, int32_t next) {
  if (int32_t id = find(cindex); id >= 0)
    return id;
  const Index &index = cindex.index;
  Lane &lane = getLane(cindex.node, laneKey(index));
  int64_t t = index.t, size = lane.ids.size();
  if (size == 0)
    lane.first = t;
  int64_t first = std::min(lane.first, t);
  int64_t end = std::max(lane.first + size, t + 1);
  if (end - first > kMinSpan + kMaxSparsity * size) {
    outliers[{cindex.node, index}] = next;
    return next;
  }
  if (first < lane.first) {
    // Leave room for more in the same direction.
    int64_t room = std::min<int64_t>(size + 16, kMinSpan);
    first -= room;
    lane.ids.insert(lane.ids.begin(), lane.first - first, -1);
    lane.first = first;
  }
  if (end > lane.first + int64_t(lane.ids.size()))
    lane.ids.resize(end - lane.first, -1);
  lane.ids[t - lane.first] = next;
  return next;
}

void CindexTable::forEach(int32_t node,
                          function_ref<void(const Index &)> fn) const {
  for (const auto &[key, lane] : nodes[node].lanes)
    for (auto [slot, id] : llvm::enumerate(lane.ids))
      if (id >= 0)
        fn({int32_t(key >> 32), int32_t(lane.first + slot), int32_t(key)});
  // `fn` may insert others.
  SmallVector<Index> rest;
  for (const auto &[cindex, id] : outliers)
    if (cindex.first == node)
      rest.push_back(cindex.second);
  llvm::for_each(rest, fn);
}

void CindexTable::number(int32_t node, std::vector<Cindex> &rows) {
  size_t first = rows.size();
  forEach(node, [&](const Index &index) { rows.push_back({node, index}); });
  if (nodes[node].lanes.size() > 1 || !outliers.empty())
    std::sort(rows.begin() + first, rows.end());
  for (size_t id = first; id < rows.size(); ++id)
    *findSlot(rows[id]) = id;
}

void CindexTable::copyNode(int32_t from, int32_t to) {
  nodes[to] = nodes[from];
  SmallVector<std::pair<Index, int32_t>> rest;
  for (const auto &[cindex, id] : outliers)
    if (cindex.first == from)
      rest.push_back({cindex.second, id});
  for (const auto &[index, id] : rest)
    outliers[{to, index}] = id;
}
