//===- Availability.cpp - Rows computable from the frames so far ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Availability.h"
#include "RowReads.h"
#include "nnet3/Compile/ComputationGraph.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

#include <deque>
#include <set>

using namespace mlir;
using namespace mlir::nnet3;

/// Changes of a lane's frontier before it counts as unbounded; other
/// recurrences converge in fewer.
static constexpr int kMaxChanges = 64;
static constexpr int64_t kNever = TimeFrontier::kNever;
static constexpr int64_t kAlways = TimeFrontier::kAlways;

const TimeFrontier &Availability::getFrontier(const Cindex &row) {
  const Lane lane{row.node, row.index.x};
  auto known = frontiers.find(lane);
  if (known != frontiers.end())
    return known->second;
  add(lane);
  return frontiers[lane];
}

/// Returns the rows that one period of a lane's rows reads.
SmallVector<Cindex> Availability::getSources(const Lane &lane) const {
  SmallVector<Cindex> sources;
  for (int64_t t = 0; t < nodes[lane.first].modulus; ++t)
    getSourceEnds(nodes, {lane.first, {0, int32_t(t), lane.second}}, sources);
  return sources;
}

/// Computes the frontiers of a lane and of all lanes it depends on, with a
/// worklist: sources first, recurrences until a fixed point.
void Availability::add(const Lane &lane) {
  std::map<Lane, SmallVector<Lane, 2>> users;
  std::set<Lane> queued;
  std::deque<Lane> queue;
  const auto visit = [&](auto &self, const Lane &next) -> void {
    frontiers[next] = TimeFrontier();
    for (const Cindex &source : getSources(next)) {
      const Lane read{source.node, source.index.x};
      if (frontiers.find(read) == frontiers.end())
        self(self, read);
      users[read].push_back(next);
    }
    queue.push_back(next);
    queued.insert(next);
  };
  visit(visit, lane);
  std::map<Lane, int> numChanges;
  while (!queue.empty()) {
    const Lane next = queue.front();
    queue.pop_front();
    queued.erase(next);
    TimeFrontier frontier = compute(next);
    if (frontier == frontiers[next])
      continue;
    // This lane extends itself without end and needs no more frames.
    if (++numChanges[next] > kMaxChanges)
      frontier = TimeFrontier(1, kAlways);
    frontiers[next] = std::move(frontier);
    for (const Lane &user : users[next])
      if (queued.insert(user).second)
        queue.push_back(user);
  }
}

TimeFrontier Availability::compute(const Lane &lane) {
  const auto [node, x] = lane;
  if (nodes[node].kind == Node::Kind::Input)
    return TimeFrontier();
  int64_t modulus = nodes[node].modulus;
  for (const Cindex &source : getSources(lane))
    modulus = saturatingLcm(modulus, getFrontier(source).getModulus());
  TimeFrontier result(modulus);
  for (int64_t residue = 0; residue < modulus; ++residue)
    result[residue] = findLast(lane, residue, modulus);
  result.simplify();
  return result;
}

/// Returns the range of times from which on rows that read like the row at `t`
/// may stop being computable.
Availability::Bounds Availability::getBounds(ArrayRef<Cindex> sources,
                                             int64_t t) {
  Bounds bounds;
  for (const Cindex &source : sources) {
    const TimeFrontier &frontier = getFrontier(source);
    for (int64_t residue = 0; residue < frontier.getModulus(); ++residue) {
      const int64_t last = frontier[residue];
      if (last == kNever || last == kAlways)
        continue;
      bounds.first = std::min(bounds.first, last - (source.index.t - t));
      bounds.last = std::max(bounds.last, last - (source.index.t - t));
    }
  }
  return bounds;
}

/// Returns the last time with the residue at which the row is computable.
int64_t Availability::findLast(const Lane &lane, int64_t residue,
                               int64_t modulus) {
  const auto [node, x] = lane;
  const auto isThere = [&](const Cindex &source) { return isNow(source); };
  const auto isComputableAt = [&, node = node, x = x](int64_t t) {
    return findUsedRows(nodes, {node, {0, int32_t(t), x}}, isThere, nullptr);
  };
  SmallVector<Cindex> sources;
  getSourceEnds(nodes, {node, {0, int32_t(residue), x}}, sources);
  const Bounds bounds = getBounds(sources, residue);
  if (bounds.last == kNever) // The number of frames does not matter.
    return isComputableAt(residue) ? kAlways : kNever;
  int64_t t = bounds.last - (bounds.last - residue) % modulus + modulus;
  if (isComputableAt(t + modulus))
    return kAlways;
  for (; t >= bounds.first - 2 * modulus; t -= modulus)
    if (isComputableAt(t))
      return t;
  return kNever;
}
