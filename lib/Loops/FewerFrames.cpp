//===- FewerFrames.cpp - Requests for fewer frames ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FewerFrames.h"
#include "nnet3/Compile/RecurrentReads.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

/// Longest supported period.
static constexpr int64_t kMaxPeriod = 1000;
/// Minimum number of periods that remain of the longest list, and of an output:
/// the first steps differ from the others, and some rounds must follow them.
static constexpr int64_t kMinPeriods = 4, kMinOutputPeriods = 4;

/// Returns the distance of a list's times; nothing if it is not constant.
static std::optional<int64_t> getStep(ArrayRef<int32_t> times) {
  int64_t step = int64_t(times[1]) - times[0];
  for (size_t i = 1; i < times.size(); ++i)
    if (int64_t(times[i]) - times[i - 1] != step)
      return std::nullopt;
  return step > 0 ? std::optional(step) : std::nullopt;
}

/// Returns the least common multiple, or more than kMaxPeriod.
static int64_t joinPeriods(int64_t period, int64_t number) {
  if (period > kMaxPeriod || number > kMaxPeriod)
    return kMaxPeriod + 1;
  return std::lcm(period, number);
}

/// Returns the period in frames of the network's recurrences; 0 if it has no
/// recurrence.
static int64_t getRecurrencePeriod(const NodeTable &nodes) {
  NodeEpochs epochs = computeEpochs(nodes);
  int64_t period = 0;
  for (ArrayRef<int32_t> members : epochs.nodes) {
    if (members.size() == 1)
      continue;
    period = std::max<int64_t>(period, 1);
    for (const RecurrentRead &read : getRecurrentReads(nodes, epochs, members))
      if (read.frames != 0)
        period = joinPeriods(period, std::abs(read.frames));
  }
  return period;
}

/// Whether each output row of the component depends on the same input row only.
static bool isOneToOne(const Node &node) {
  SmallVector<Index> inputs;
  ComponentOpInterface component = node.component;
  component.getInputIndexes({0, 1, 0}, inputs);
  return inputs.size() == 1 && inputs.front() == Index{0, 1, 0};
}

/// Whether the precomputed data of the component is the same `period` frames
/// later. Checks one-to-one components only; others have a modulus if they are
/// not time-invariant.
static bool repeats(const Node &node, int64_t period, bool needsBackprop) {
  if (node.kind != Node::Kind::Component || !isOneToOne(node))
    return true;
  auto precompute = [&](int64_t first) {
    SmallVector<Index> rows;
    for (int64_t t = 0; t < 2 * kMaxPeriod; ++t)
      rows.push_back({0, int32_t(first + t), 0});
    IndexRows all(std::move(rows));
    ComponentOpInterface component = node.component;
    return component.precomputeIndexes(all, all, needsBackprop);
  };
  DictionaryAttr first = precompute(0);
  return !first || first == precompute(period);
}

/// Returns the smallest multiple of `period` that is a period of all
/// components.
static int64_t getComponentPeriod(const NodeTable &nodes, int64_t period,
                                  bool needsBackprop) {
  for (const Node &node : nodes.getNodes()) {
    int64_t multiple = period;
    while (multiple <= kMaxPeriod && !repeats(node, multiple, needsBackprop))
      multiple += period;
    period = multiple;
  }
  return period;
}

std::optional<FewerFrames> FewerFrames::get(RequestOp request,
                                            const NodeTable &nodes) {
  int64_t period = getRecurrencePeriod(nodes);
  if (period == 0)
    return std::nullopt;
  period = joinPeriods(period, nodes.getModulus());
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t shortest = kMost, shortestOutput = kMost, longest = 0;
  for (Operation &op : request.getBody().front()) {
    auto indexes = op.getAttrOfType<IndexesAttr>("indexes");
    if (indexes.isExplicit())
      return std::nullopt;
    ArrayRef<int32_t> times = indexes.getT();
    if (times.size() < 2) {
      if (isa<RequestOutputOp>(op))
        return std::nullopt;
      continue;
    }
    std::optional<int64_t> step = getStep(times);
    if (!step)
      return std::nullopt;
    period = joinPeriods(period, *step);
    const int64_t frames = int64_t(times.back()) - times.front();
    longest = std::max(longest, frames);
    shortest = std::min(shortest, frames);
    if (isa<RequestOutputOp>(op))
      shortestOutput = std::min(shortestOutput, frames);
  }
  if (period <= kMaxPeriod)
    period = getComponentPeriod(nodes, period, !request.isForward());
  if (period > kMaxPeriod)
    return std::nullopt;
  period *= 2;
  const int64_t count = std::min({longest / period - kMinPeriods,
                                  shortestOutput / period - kMinOutputPeriods,
                                  shortest / period});
  FewerFrames result{period, count, longest};
  if (count < 2 || !result.isWorth(count - 1))
    return std::nullopt;
  return result;
}

OwningOpRef<RequestOp> mlir::nnet3::createShorter(RequestOp request,
                                                  int64_t frames) {
  OwningOpRef<RequestOp> shorter(request.clone());
  for (Operation &op : shorter->getBody().front()) {
    auto indexes = op.getAttrOfType<IndexesAttr>("indexes");
    ArrayRef<int32_t> times = indexes.getT();
    if (times.size() < 2)
      continue;
    const int64_t step = int64_t(times[1]) - times[0];
    op.setAttr("indexes",
               IndexesAttr::get(op.getContext(), indexes.getN(),
                                times.drop_back(frames / step), indexes.getX(),
                                indexes.getOrder(), ArrayRef<int32_t>()));
  }
  return shorter;
}
