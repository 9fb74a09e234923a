//===- CindexTable.cpp - Dense numbers for Cindexes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/CindexTable.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Largest ratio of the frames that a lane covers to its rows (above a minimum
/// span); rows further away are hashed.
static constexpr int64_t kMaxSparsity = 64;
static constexpr int64_t kMinSpan = 4096;
/// A node with more lanes looks them up by hashing.
static constexpr size_t kMaxLinearLanes = 4;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

static uint64_t laneKey(int32_t n, int32_t x) {
  return uint64_t(uint32_t(n)) << 32 | uint32_t(x);
}

static bool isLaneOf(const CindexTable::Lane &lane, const Index &index) {
  return lane.n == index.n && lane.x == index.x;
}

CindexTable::Lane *CindexTable::findLane(int32_t node,
                                         const Index &index) const {
  auto &lanes = const_cast<NodeLanes &>(nodes[node]);
  size_t last = lanes.last;
  if (last < lanes.lanes.size() && isLaneOf(lanes.lanes[last], index))
    return &lanes.lanes[last];
  if (lanes.lanes.size() <= kMaxLinearLanes) {
    auto *it = llvm::find_if(
        lanes.lanes, [&](const Lane &lane) { return isLaneOf(lane, index); });
    if (it == lanes.lanes.end())
      return nullptr;
    lanes.last = it - lanes.lanes.begin();
    return it;
  }
  auto entry = lanes.laneOf.find(laneKey(index.n, index.x));
  if (entry == lanes.laneOf.end())
    return nullptr;
  lanes.last = entry->second;
  return &lanes.lanes[entry->second];
}

/// Returns a pointer to the number of the row at time `t`; null if it has none.
static int32_t *findInLane(CindexTable::Lane &lane, int64_t t) {
  const int64_t slot = t - lane.first;
  return slot >= 0 && slot < int64_t(lane.ids.size()) && lane.ids[slot] >= 0
             ? &lane.ids[slot]
             : nullptr;
}

CindexTable::Lane &CindexTable::getLane(int32_t node, const Index &index) {
  if (Lane *lane = findLane(node, index))
    return *lane;
  NodeLanes &lanes = nodes[node];
  lanes.lanes.push_back({index.n, index.x, 0, {}});
  if (lanes.lanes.size() > kMaxLinearLanes)
    for (size_t i = lanes.laneOf.size(); i < lanes.lanes.size(); ++i)
      lanes.laneOf[laneKey(lanes.lanes[i].n, lanes.lanes[i].x)] = i;
  return lanes.lanes.back();
}

/// Extends the lane to times [`first`, `end`); false if most of it would be
/// empty.
static bool cover(CindexTable::Lane &lane, int64_t first, int64_t end) {
  int64_t size = lane.ids.size();
  if (first >= lane.first && end <= lane.first + size)
    return true;
  int64_t wanted = end - first;
  if (size == 0)
    lane.first = first;
  first = std::min(lane.first, first);
  end = std::max(lane.first + size, end);
  if (end - first > kMinSpan + kMaxSparsity * (size + wanted))
    return false;
  // Reserves more in the same direction.
  const int64_t room = std::min<int64_t>(size + 16, kMinSpan);
  if (first < lane.first) {
    first -= room;
    lane.ids.insert(lane.ids.begin(), lane.first - first, -1);
    lane.first = first;
  }
  if (end > lane.first + int64_t(lane.ids.size()))
    lane.ids.resize(end + room - lane.first, -1);
  return true;
}

//===----------------------------------------------------------------------===//
// Single rows
//===----------------------------------------------------------------------===//

int32_t *CindexTable::findSlot(const Cindex &cindex) const {
  if (Lane *lane = findLane(cindex.node, cindex.index))
    if (int32_t *slot = findInLane(*lane, cindex.index.t))
      return slot;
  return findOutlier(cindex);
}

int32_t *CindexTable::findOutlier(const Cindex &cindex) const {
  if (outliers.empty())
    return nullptr;
  auto entry = outliers.find({cindex.node, cindex.index});
  return entry == outliers.end() ? nullptr
                                 : const_cast<int32_t *>(&entry->second);
}

int32_t CindexTable::findOrInsert(const Cindex &cindex, int32_t next) {
  const int64_t t = cindex.index.t;
  Lane &lane = getLane(cindex.node, cindex.index);
  if (const int32_t *slot = findInLane(lane, t))
    return *slot;
  if (const int32_t *slot = findOutlier(cindex))
    return *slot;
  if (cover(lane, t, t + 1))
    lane.ids[t - lane.first] = next;
  else
    outliers[{cindex.node, cindex.index}] = next;
  return next;
}

//===----------------------------------------------------------------------===//
// All rows of a node
//===----------------------------------------------------------------------===//

SmallVector<Index> CindexTable::getOutliers(int32_t node) const {
  SmallVector<Index> result;
  for (const auto &[cindex, id] : outliers)
    if (cindex.first == node)
      result.push_back(cindex.second);
  llvm::sort(result);
  return result;
}

int64_t CindexTable::count(int32_t node) const {
  int64_t total = outliers.empty() ? 0 : getOutliers(node).size();
  for (const Lane &lane : nodes[node].lanes)
    total += llvm::count_if(lane.ids, [](int32_t id) { return id >= 0; });
  return total;
}

bool CindexTable::insertShifted(const Lane &lane, size_t begin, size_t end,
                                size_t step, const Cindex &target) {
  Lane &to = getLane(target.node, target.index);
  int64_t first = target.index.t;
  if (!cover(to, first, first + int64_t(end - begin)))
    return false;
  int32_t *ids = &to.ids[first - to.first];
  // 0 is a row, -1 is no row.
  if (step == 1)
    for (size_t slot = begin; slot < end; ++slot)
      ids[slot - begin] &= lane.ids[slot];
  else
    for (size_t slot = begin; slot < end; slot += step)
      ids[slot - begin] &= lane.ids[slot];
  return true;
}

void CindexTable::copyNode(int32_t from, int32_t to) {
  nodes[to] = nodes[from];
  if (!outliers.empty())
    for (const Index &index : getOutliers(from))
      outliers[{to, index}] = find({from, index});
}

void CindexTable::number(int32_t node, std::vector<Cindex> &rows) {
  size_t first = rows.size();
  NodeLanes &lanes = nodes[node];
  for (Lane &lane : lanes.lanes)
    for (auto [slot, id] : llvm::enumerate(lane.ids))
      if (id >= 0) {
        id = rows.size();
        rows.push_back({node, lane.at(slot)});
      }
  if (lanes.lanes.size() <= 1 && outliers.empty())
    return;
  for (const Index &index : getOutliers(node))
    rows.push_back({node, index});
  std::sort(rows.begin() + first, rows.end());
  for (size_t id = first; id < rows.size(); ++id)
    *findSlot(rows[id]) = id;
}
