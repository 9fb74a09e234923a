//===- FewerFrames.cpp - Requests for fewer frames ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FewerFrames.h"
#include "SteadyTimes.h"
#include "nnet3/Compile/RecurrentReads.h"
#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

/// Longest supported period.
static constexpr int64_t kMaxPeriod = 1000;
/// Minimum number of periods that remain of the longest list: the first steps
/// differ from the others, and some rounds must follow them.
static constexpr int64_t kMinPeriods = 4;

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

/// Returns rows of many consecutive frames.
static IndexRows getFrames(int64_t first) {
  SmallVector<Index> rows;
  for (int64_t t = 0; t < 2 * kMaxPeriod; ++t)
    rows.push_back({0, int32_t(first + t), 0});
  return IndexRows(std::move(rows));
}

/// Returns the smallest multiple of `period` that is a period of all
/// components. Checks one-to-one components only; others have a modulus if they
/// are not time-invariant.
static int64_t getComponentPeriod(const NodeTable &nodes, int64_t period,
                                  bool needsBackprop) {
  const IndexRows start = getFrames(0);
  for (const Node &node : nodes.getNodes()) {
    if (node.kind != Node::Kind::Component || !isOneToOne(node))
      continue;
    ComponentOpInterface component = node.component;
    DictionaryAttr first =
        component.precomputeIndexes(start, start, needsBackprop);
    const std::optional<int64_t> time = getFirstTime(first);
    // Whether the precomputed data is the same `period` frames later.
    auto repeats = [&](int64_t period) {
      const IndexRows rows = getFrames(period);
      return component.precomputeIndexes(rows, rows, needsBackprop) ==
             (time ? withFirstTime(first, *time + period) : first);
    };
    int64_t multiple = period;
    while (first && multiple <= kMaxPeriod && !repeats(multiple))
      multiple += period;
    period = multiple;
  }
  return period;
}

static ArrayRef<int32_t> getTimes(Operation &op) {
  return op.getAttrOfType<IndexesAttr>("indexes").getT();
}

/// Returns the number of frames from the first to the last row.
static int64_t getSpan(ArrayRef<int32_t> times) {
  return int64_t(times.back()) - times.front();
}

/// Returns the number of periods that must remain of the rows.
static int64_t getMinPeriods(Operation &op, int64_t minOutputPeriods) {
  return isa<RequestOutputOp>(op) ? minOutputPeriods : 0;
}

/// Returns what the rows of the input or output become, if `minPeriods` must
/// remain. Lists of too few rows to remove two more periods belong to the
/// nearer end of the request, which has `longest` frames from `start` on; a
/// single input row is the i-vector of all frames.
static FewerFrames::Rows getRows(Operation &op, int64_t period,
                                 int64_t minPeriods, int64_t start,
                                 int64_t longest) {
  const ArrayRef<int32_t> times = getTimes(op);
  if (getSpan(times) / period >= minPeriods + 2)
    return FewerFrames::Rows::Shorter;
  const bool isAtEnd = 2 * (times.front() - start) > longest;
  return isAtEnd && (times.size() > 1 || isa<RequestOutputOp>(op))
             ? FewerFrames::Rows::Moved
             : FewerFrames::Rows::Fixed;
}

/// Removes as many periods as possible from a request that has `longest` frames
/// from `start` on. Returns nothing if that is not worth it.
static std::optional<FewerFrames>
removeMost(RequestOp request, const NodeTable &nodes, int64_t period,
           int64_t start, int64_t longest, int64_t minOutputPeriods) {
  FewerFrames result{period, longest / period - kMinPeriods, longest, {}};
  bool hasOutput = false;
  for (Operation &op : request.getBody().front()) {
    const int64_t minPeriods = getMinPeriods(op, minOutputPeriods);
    const FewerFrames::Rows rows =
        getRows(op, period, minPeriods, start, longest);
    result.rows.push_back(rows);
    if (rows != FewerFrames::Rows::Shorter)
      continue;
    hasOutput |= isa<RequestOutputOp>(op);
    result.count =
        std::min(result.count, getSpan(getTimes(op)) / period - minPeriods);
  }
  if (!hasOutput)
    return std::nullopt;
  const SteadyTimes steady = SteadyTimes::get(request, nodes, result.rows);
  result.count = std::min(result.count, (steady.last - steady.first) / period -
                                            minOutputPeriods);
  if (result.count < 2 || !result.isWorth(result.count - 1))
    return std::nullopt;
  return result;
}

std::optional<FewerFrames> FewerFrames::get(RequestOp request,
                                            const NodeTable &nodes,
                                            int64_t minOutputPeriods) {
  const int64_t step = getRecurrencePeriod(nodes);
  if (step == 0)
    return std::nullopt;
  int64_t period = joinPeriods(step, nodes.getModulus());
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t start = kMost, longest = 0;
  for (Operation &op : request.getBody().front()) {
    if (op.getAttrOfType<IndexesAttr>("indexes").isExplicit())
      return std::nullopt;
    const ArrayRef<int32_t> times = getTimes(op);
    start = std::min<int64_t>(start, times.front());
    longest = std::max(longest, getSpan(times));
    if (times.size() < 2)
      continue;
    std::optional<int64_t> distance = getStep(times);
    if (!distance)
      return std::nullopt;
    period = joinPeriods(period, *distance);
  }
  auto remove = [&]() -> std::optional<FewerFrames> {
    if (period > kMaxPeriod)
      return std::nullopt;
    // States may alternate between two matrices.
    return removeMost(request, nodes,
                      period / step % 2 == 0 ? period : 2 * period, start,
                      longest, minOutputPeriods);
  };
  // Components can only make the period longer, and take longer to look at.
  if (!remove())
    return std::nullopt;
  period = getComponentPeriod(nodes, period, !request.isForward());
  return remove();
}

OwningOpRef<RequestOp> mlir::nnet3::createShorter(RequestOp request,
                                                  const FewerFrames &fewer,
                                                  int64_t numPeriods) {
  const int64_t frames = numPeriods * fewer.period;
  OwningOpRef<RequestOp> shorter(request.clone());
  for (auto [op, rows] :
       llvm::zip_equal(shorter->getBody().front(), fewer.rows)) {
    if (rows == FewerFrames::Rows::Fixed)
      continue;
    auto indexes = op.getAttrOfType<IndexesAttr>("indexes");
    SmallVector<int32_t> times(indexes.getT());
    if (rows == FewerFrames::Rows::Shorter)
      times.pop_back_n(frames / (int64_t(times[1]) - times[0]));
    else
      for (int32_t &t : times)
        t -= int32_t(frames);
    op.setAttr("indexes",
               IndexesAttr::get(op.getContext(), indexes.getN(), times,
                                indexes.getX(), indexes.getOrder(),
                                ArrayRef<int32_t>()));
  }
  return shorter;
}
