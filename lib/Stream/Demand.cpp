//===- Demand.cpp - Rows that the outputs so far need ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Demand.h"
#include "RowReads.h"
#include "nnet3/Compile/ComputationGraph.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

using namespace mlir;
using namespace mlir::nnet3;

void Demand::set(int32_t node, TimeFrontier times) {
  frontiers[{node, 0}] = std::move(times);
  queue.insert({node, 0});
}

bool Demand::contains(const Cindex &row) const {
  auto frontier = frontiers.find({row.node, row.index.x});
  return frontier != frontiers.end() && frontier->second.contains(row.index.t);
}

/// Refines the moduli of the sources of a lane so that they are multiples of
/// its own period.
void Demand::refine(const Lane &lane) {
  const auto [node, x] = lane;
  if (nodes[node].kind == Node::Kind::Input)
    return;
  const int64_t modulus =
      saturatingLcm(frontiers[lane].getModulus(), nodes[node].modulus);
  SmallVector<Cindex> sources;
  for (int64_t t = 0; t < modulus; ++t)
    getSourceEnds(nodes, {node, {0, int32_t(t), x}}, sources);
  for (const Cindex &source : sources) {
    const Lane next{source.node, source.index.x};
    const bool isNew = frontiers.try_emplace(next).second;
    const int64_t old = frontiers[next].getModulus();
    const int64_t wanted = saturatingLcm(old, modulus);
    if (wanted != old)
      frontiers[next].refine(wanted);
    if (isNew || wanted != old)
      queue.insert(next);
  }
}

/// Demands the rows that the row at `t` uses. Returns false if the row is not
/// computable, or would use more rows if all frames were given.
bool Demand::demandSources(const Lane &lane, int64_t t) {
  if (readsAnyRows(nodes, lane.first))
    return demandRange(lane, t);
  const Cindex row{lane.first, {0, int32_t(t), lane.second}};
  SmallVector<Cindex> now, later;
  if (!findUsedRows(
          nodes, row, [&](const Cindex &c) { return availability.isNow(c); },
          &now))
    return false; // The row is given, or never computable.
  for (const Cindex &source : now)
    if (frontiers[{source.node, source.index.x}].extend(source.index.t))
      queue.insert({source.node, source.index.x});
  if (nodes[row.node].needsAllDependencies)
    return true;
  findUsedRows(
      nodes, row, [&](const Cindex &c) { return availability.isEver(c); },
      &later);
  return now == later;
}

/// Like demandSources(), for a row that uses all available rows of a range. Of
/// equivalent rows, demands only the latest.
bool Demand::demandRange(const Lane &lane, int64_t t) {
  ComponentOpInterface component = nodes[lane.first].component;
  const auto times = component.getOptionalTimes({0, int32_t(t), lane.second});
  if (!times)
    return false; // Never computable.
  const Lane source{lane.first - 1, lane.second};
  const TimeFrontier &there =
      availability.getFrontier(source.first, source.second);
  TimeFrontier &wanted = frontiers[source];
  const int64_t cycle = saturatingLcm(
      times->step, saturatingLcm(there.getModulus(), wanted.getModulus()));
  bool usesAny = false, usesAll = true, wantsMore = false;
  for (int64_t first = times->first;
       first <= times->last && first - times->first < cycle;
       first += times->step) {
    const int64_t last = first + (times->last - first) / cycle * cycle;
    int64_t latest = there.lastLike(first);
    if (latest == TimeFrontier::kNever)
      continue;
    usesAll &= latest >= last;
    if (latest < first)
      continue;
    latest = std::min(latest, last);
    latest -= (latest - first) % cycle;
    usesAny = true;
    wantsMore |= wanted.extend(latest);
  }
  if (wantsMore)
    queue.insert(source);
  return usesAny && usesAll;
}

int64_t Demand::getPeriod(const Lane &lane) const {
  const auto [node, x] = lane;
  int64_t period =
      saturatingLcm(frontiers.at(lane).getModulus(), nodes[node].modulus);
  SmallVector<Cindex> sources;
  for (int64_t t = 0; t < nodes[node].modulus; ++t)
    getSourceEnds(nodes, {node, {0, int32_t(t), x}}, sources);
  for (const Cindex &source : sources)
    period = saturatingLcm(
        period, frontiers.at({source.node, source.index.x}).getModulus());
  return period;
}

/// Demands the sources of the last rows of a residue. Goes back until, for each
/// residue of the sources, a row uses all rows that it could.
void Demand::demandResidue(const Lane &lane, int64_t residue, int64_t period) {
  const int64_t modulus = frontiers[lane].getModulus();
  int64_t numComplete = 0;
  int64_t t = frontiers[lane][residue];
  for (; numComplete < period / modulus; t -= modulus) {
    if (demandSources(lane, t)) {
      ++numComplete;
      continue;
    }
    numComplete = 0;
    early.insert(lane.first);
  }
}

void Demand::demand(const Lane &lane) {
  if (nodes[lane.first].kind == Node::Kind::Input)
    return;
  const int64_t period = getPeriod(lane);
  for (int64_t residue = 0; residue < frontiers[lane].getModulus(); ++residue)
    if (frontiers[lane][residue] != TimeFrontier::kNever)
      demandResidue(lane, residue, period);
}

bool Demand::propagate() {
  const auto first = queue;
  const auto takeNext = [&] { return queue.extract(queue.begin()).value(); };
  while (!queue.empty()) {
    if (frontiers.size() > kMaxLanes)
      return false;
    refine(takeNext());
  }
  queue = first;
  while (!queue.empty())
    demand(takeNext());
  return true;
}
