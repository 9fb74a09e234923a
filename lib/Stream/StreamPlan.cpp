//===- StreamPlan.cpp - The state of a stream -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Stream/StreamPlan.h"
#include "Demand.h"
#include "Recurrences.h"
#include "RowReads.h"
#include "nnet3/Compile/ComputationGraph.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::nnet3;

/// How many times the right context may be extended.
static constexpr int kMaxWidenings = 64;

/// How many last outputs of an utterance are looked at for reads after their
/// right context.
static constexpr int64_t kMaxEnds = 64;

namespace {
/// Plans a stream at time 0, the boundary of two chunks.
class StreamPlanner {
public:
  StreamPlanner(NetworkOp network, const NodeTable &nodes,
                const StreamOptions &options)
      : network(network), nodes(nodes), options(options), availability(nodes),
        demand(nodes, availability) {}

  FailureOr<StreamPlan> run(const NetworkContext &context);
  LogicalResult check() const {
    return success(succeeded(checkNodes()) && succeeded(checkRecurrences()));
  }
  /// Returns the number of frames that the last outputs need in addition; fails
  /// if no number is enough.
  FailureOr<int64_t> findMissingFrames(int64_t right);
  /// Finds the rows that the outputs so far need.
  LogicalResult propagate(const NetworkContext &context);
  std::optional<int64_t> getLag(int32_t pool);

private:
  LogicalResult checkNodes() const;
  LogicalResult checkRecurrences() const;
  void setInput(StringRef name, TimeFrontier times);
  void setInputs(int64_t right, int64_t numMissing = 0);
  int32_t findEarly(int64_t right, int64_t lastOutput);
  int32_t findEndDependent(int64_t right) const;
  int64_t getFramePeriod() const;
  void setOutputs(int64_t last);
  int64_t getPeriod(const Demand::Lane &lane) const;
  void addReads(const Demand::Lane &lane);
  bool addReads(const Cindex &row);
  void addRangeReads(const Demand::Lane &lane);
  void findReadsOfChunks(const Cindex &row, SmallVectorImpl<Cindex> &sources);

  NetworkOp network;
  const NodeTable &nodes;
  const StreamOptions &options;
  Availability availability;
  Demand demand;
  /// The computed rows that later rows read.
  std::set<Cindex> kept;
};
} // namespace

/// Returns the part of the expression that reads a row at a fixed time; null if
/// there is none.
static const ForwardExpr *findFixedTime(const ForwardExpr &expr) {
  if (expr.kind == ForwardExpr::Kind::ReplaceT)
    return &expr;
  for (const ForwardExpr &operand : expr.operands)
    if (const ForwardExpr *fixed = findFixedTime(operand))
      return fixed;
  return nullptr;
}

static const ForwardExpr *findFixedTime(const SumExpr &expr) {
  if (const ForwardExpr *fixed = findFixedTime(expr.forward))
    return fixed;
  for (const SumExpr &operand : expr.operands)
    if (const ForwardExpr *fixed = findFixedTime(operand))
      return fixed;
  return nullptr;
}

/// Returns the first node that the expression reads.
static int32_t getFirstNode(const ForwardExpr &expr) {
  return expr.kind == ForwardExpr::Kind::Node
             ? expr.node
             : getFirstNode(expr.operands.front());
}

/// Returns the name in the network: that of the component node, if `node` is
/// its descriptor.
static StringRef getName(const Node &node) {
  return node.op->getAttrOfType<StringAttr>("name").getValue();
}

/// Checks that each row depends on rows at relative times, and not on the other
/// rows of its chunk.
LogicalResult StreamPlanner::checkNodes() const {
  for (const Node &node : nodes.getNodes()) {
    const auto refuse = [&](const Twine &why) {
      return node.op->emitError("cannot stream: every row of node '")
             << getName(node) << "' " << why;
    };
    if (mixesRows(node))
      return refuse("depends on which others are computed with it (a "
                    "component in training mode)");
    for (const DescriptorPart &part : node.parts)
      if (const ForwardExpr *fixed = findFixedTime(part.sum))
        return refuse("reads the row of '" + nodes[getFirstNode(*fixed)].name +
                      "' at time " + std::to_string(fixed->t) +
                      " (ReplaceIndex), which later chunks do not have");
  }
  return success();
}

LogicalResult StreamPlanner::checkRecurrences() const {
  if (options.allowChunkedRecurrence)
    return success();
  const int32_t node = findBackwardRecurrence(nodes);
  if (node < 0)
    return success();
  return nodes[node].op->emitError("cannot stream: the rows of node '")
         << nodes[node].name
         << "' depend on all later rows (a backward recurrence); with "
            "allow-chunked-recurrence, each chunk computes them as if no "
            "frames followed";
}

void StreamPlanner::setInput(StringRef name, TimeFrontier times) {
  const int32_t node = nodes.find(name);
  if (node < 0)
    return;
  availability.setInput(node, times);
  demand.set(node, std::move(times));
}

/// Sets the frames up to `right`, except for the last `numMissing`, and the
/// i-vectors up to `right`.
void StreamPlanner::setInputs(int64_t right, int64_t numMissing) {
  const int64_t last = right - 1;
  setInput("input", TimeFrontier(1, last - numMissing));
  const int64_t period = options.ivectorPeriod;
  TimeFrontier ivectors(period);
  ivectors[0] = last - (last % period + period) % period;
  setInput("ivector", ivectors);
}

/// Requests the outputs up to `last`.
void StreamPlanner::setOutputs(int64_t last) {
  TimeFrontier times(options.frameSubsamplingFactor);
  times[0] = last;
  demand.set(nodes.find("output"), std::move(times));
}

FailureOr<int64_t> StreamPlanner::findMissingFrames(int64_t right) {
  setInputs(right);
  const int64_t factor = options.frameSubsamplingFactor;
  const TimeFrontier &there = availability.getFrontier(nodes.find("output"), 0);
  int64_t missing = 0;
  for (int64_t t = -factor; t >= -saturatingLcm(factor, nodes.getModulus());
       t -= factor) {
    if (!there.containsLike(t))
      return failure();
    missing = std::max(missing, t - there.lastLike(t));
  }
  return missing;
}

/// Finds the rows that `row` may read when a later chunk computes it. If the
/// chunk ends soon after the row, some rows are not available yet, and the row
/// may read others instead. So this tries chunks of increasing length.
void StreamPlanner::findReadsOfChunks(const Cindex &row,
                                      SmallVectorImpl<Cindex> &sources) {
  SmallVector<Cindex> all;
  findAllMatrixRows(nodes, row, all);
  const int64_t step = saturatingLcm(
      nodes.getModulus(),
      saturatingLcm(options.frameSubsamplingFactor, options.ivectorPeriod));
  const auto earlier = [](Cindex row, int64_t frames) {
    row.index.t -= int32_t(frames);
    return row;
  };
  for (int64_t end = step;; end += step) {
    if (!demand.contains(earlier(row, end)))
      continue;
    const auto isThere = [&](const Cindex &source) {
      return availability.isNow(earlier(source, end));
    };
    findUsedMatrixRows(nodes, row, isThere, sources);
    if (llvm::all_of(all, [&](const Cindex &source) {
          return isThere(source) || !availability.isEver(source);
        }))
      return;
  }
}

/// Keeps the rows that a row of a later chunk reads; returns false if it reads
/// no computed row.
bool StreamPlanner::addReads(const Cindex &row) {
  SmallVector<Cindex> sources;
  if (demand.endsEarly(row.node) ||
      (nodes[row.node].kind == Node::Kind::Component &&
       demand.endsEarly(row.node - 1)))
    findReadsOfChunks(row, sources);
  else
    findUsedMatrixRows(
        nodes, row, [&](const Cindex &c) { return availability.isEver(c); },
        sources);
  bool found = false;
  for (const Cindex &source : sources) {
    if (!demand.contains(source))
      continue;
    kept.insert(source);
    found = true;
  }
  return found;
}

/// Returns the number of frames after which the reads of a component's rows
/// repeat, including those of its descriptors and dim-ranges.
int64_t StreamPlanner::getPeriod(const Demand::Lane &lane) const {
  int64_t period = demand.getPeriod(lane);
  const auto &frontiers = demand.getFrontiers();
  SmallVector<Demand::Lane> lanes = {lane};
  while (!lanes.empty()) {
    const auto [node, x] = lanes.pop_back_val();
    for (int64_t t = 0; t < nodes[node].modulus; ++t) {
      SmallVector<Cindex> sources;
      getSourceEnds(nodes, {node, {0, int32_t(t), x}}, sources);
      for (const Cindex &source : sources) {
        const Demand::Lane next{source.node, source.index.x};
        period = saturatingLcm(period, frontiers.at(next).getModulus());
        const Node::Kind kind = nodes[next.first].kind;
        if (kind == Node::Kind::Descriptor || kind == Node::Kind::DimRange) {
          period = saturatingLcm(period, nodes[next.first].modulus);
          lanes.push_back(next);
        }
      }
    }
  }
  return period;
}

/// Like addReads(lane), for a node whose rows read any rows of a range. Looks
/// at each input row only once.
void StreamPlanner::addRangeReads(const Demand::Lane &lane) {
  const auto [node, x] = lane;
  ComponentOpInterface component = nodes[node].component;
  const TimeFrontier &computed = demand.getFrontiers().at(lane);
  const int64_t modulus = computed.getModulus();
  const int64_t rounds = getPeriod(lane) / modulus;
  DenseSet<int64_t> seen;
  int64_t lastFound = TimeFrontier::kNever;
  for (int64_t residue = 0; residue < modulus; ++residue) {
    if (computed[residue] == TimeFrontier::kNever)
      continue;
    int64_t numWithout = 0;
    for (int64_t t = computed[residue] + modulus; numWithout < rounds;
         t += modulus) {
      const auto times = component.getOptionalTimes({0, int32_t(t), x});
      // The ranges overlap; only the end of a range is new.
      for (int64_t s = times ? times->last : 0;
           times && s >= times->first && seen.insert(s).second;
           s -= times->step)
        if (addReads(Cindex{node - 1, {0, int32_t(s), x}}))
          lastFound = std::max(lastFound, s);
      numWithout = times && lastFound >= times->first ? 0 : numWithout + 1;
    }
  }
}

/// Adds the reads of all later rows of a lane.
void StreamPlanner::addReads(const Demand::Lane &lane) {
  const auto [node, x] = lane;
  if (readsAnyRows(nodes, node))
    return addRangeReads(lane);
  const TimeFrontier &computed = demand.getFrontiers().at(lane);
  const int64_t modulus = computed.getModulus();
  const int64_t rounds = getPeriod(lane) / modulus;
  for (int64_t residue = 0; residue < modulus; ++residue) {
    if (computed[residue] == TimeFrontier::kNever)
      continue;
    int64_t numWithout = 0;
    for (int64_t t = computed[residue] + modulus; numWithout < rounds;
         t += modulus)
      numWithout =
          addReads(Cindex{node, {0, int32_t(t), x}}) ? 0 : numWithout + 1;
  }
}

/// Returns the first node whose rows read fewer rows if no frame follows the
/// right context of the last output; -1 if there is none.
int32_t StreamPlanner::findEarly(int64_t right, int64_t lastOutput) {
  setInputs(right, -1 - lastOutput);
  setOutputs(lastOutput);
  return demand.propagate() ? demand.findEarly() : -1;
}

/// Returns the number of frames after which the reads of an expression repeat.
/// Reads of i-vectors do not count: an utterance ends with all its i-vectors.
static int64_t getReadPeriod(const ForwardExpr &expr, int32_t ivector) {
  if (expr.kind == ForwardExpr::Kind::Round)
    return getFirstNode(expr) == ivector
               ? 1
               : saturatingLcm(expr.t,
                               getReadPeriod(expr.operands[0], ivector));
  int64_t period =
      expr.kind == ForwardExpr::Kind::Switch ? expr.operands.size() : 1;
  for (const ForwardExpr &operand : expr.operands)
    period = saturatingLcm(period, getReadPeriod(operand, ivector));
  return period;
}

static int64_t getReadPeriod(const SumExpr &expr, int32_t ivector) {
  if (expr.kind == SumExpr::Kind::Forward)
    return getReadPeriod(expr.forward, ivector);
  int64_t period = 1;
  for (const SumExpr &operand : expr.operands)
    period = saturatingLcm(period, getReadPeriod(operand, ivector));
  return period;
}

/// Returns the number of frames after which the reads of all nodes repeat.
/// Reads of i-vectors do not count.
int64_t StreamPlanner::getFramePeriod() const {
  const int32_t ivector = nodes.find("ivector");
  int64_t period = 1;
  for (const Node &node : nodes.getNodes()) {
    if (node.kind == Node::Kind::Component)
      period = saturatingLcm(period, node.modulus);
    for (const DescriptorPart &part : node.parts)
      period = saturatingLcm(period, getReadPeriod(part.sum, ivector));
  }
  return period;
}

/// Returns the first node whose rows depend on frames after the right context
/// of the last output of an utterance; -1 if there is none.
int32_t StreamPlanner::findEndDependent(int64_t right) const {
  if (llvm::all_of(nodes.getNodes(), [](const Node &node) {
        return node.kind == Node::Kind::Input || node.needsAllDependencies;
      }))
    return -1;
  const int64_t factor = options.frameSubsamplingFactor;
  const int64_t numEnds =
      std::min(saturatingLcm(factor, getFramePeriod()) / factor, kMaxEnds);
  for (int64_t end = 1; end <= numEnds; ++end) {
    const int64_t lastOutput = -end * factor;
    if (lastOutput == -1)
      continue; // The chunk ends with its right context.
    const int32_t node =
        StreamPlanner(network, nodes, options).findEarly(right, lastOutput);
    if (node >= 0)
      return node;
  }
  return -1;
}

LogicalResult StreamPlanner::propagate(const NetworkContext &context) {
  if (failed(check()))
    return failure();
  setInputs(context.right);
  setOutputs(-options.frameSubsamplingFactor);
  if (!demand.propagate())
    return network.emitError("cannot stream: the outputs need rows of more "
                             "than 65536 pairs of a node and an index x");
  return success();
}

std::optional<int64_t> StreamPlanner::getLag(int32_t pool) {
  auto component = cast<StatisticsPoolingOp>(nodes[pool].component);
  const int64_t period = component.getInputPeriod();
  const auto &frontiers = demand.getFrontiers();
  const auto last = frontiers.find({pool, 0});
  // Rows at other values of x would need their own sums.
  if (last == frontiers.end() ||
      (last != frontiers.begin() && std::prev(last)->first.first == pool) ||
      (std::next(last) != frontiers.end() &&
       std::next(last)->first.first == pool))
    return std::nullopt;
  int64_t wanted = TimeFrontier::kNever;
  for (int64_t t = 0; t < last->second.getModulus(); ++t)
    wanted = std::max(wanted, last->second[t]);
  const TimeFrontier &there = availability.getFrontier(pool - 1, 0);
  int64_t latest = TimeFrontier::kAlways;
  for (int64_t t = 0; t < std::lcm(there.getModulus(), period); t += period)
    latest = std::min(latest, there.lastLike(t));
  if (wanted == TimeFrontier::kNever || latest == TimeFrontier::kNever ||
      latest == TimeFrontier::kAlways)
    return std::nullopt;
  return (llvm::divideFloorSigned(wanted, period) -
          llvm::divideFloorSigned(latest, period)) *
         period;
}

FailureOr<StreamPlan> StreamPlanner::run(const NetworkContext &context) {
  if (failed(propagate(context)))
    return failure();
  for (const auto &entry : demand.getFrontiers()) {
    const Node &node = nodes[entry.first.first];
    if (node.kind == Node::Kind::Component || node.isOutput)
      addReads(entry.first);
  }
  StreamPlan plan;
  plan.left = context.left + options.extraLeftContextInitial;
  plan.right = context.right;
  plan.chunkDependent = demand.findEarly();
  if (plan.chunkDependent < 0)
    plan.endDependent = findEndDependent(plan.right);
  for (const Cindex &row : kept) {
    if (plan.histories.empty() || plan.histories.back().node != row.node)
      plan.histories.push_back({row.node, {}});
    plan.histories.back().rows.push_back(row.index);
  }
  return plan;
}

FailureOr<StreamPlan> mlir::nnet3::planStream(NetworkOp network,
                                              const NodeTable &nodes,
                                              const NetworkContext &context,
                                              const StreamOptions &options) {
  return StreamPlanner(network, nodes, options).run(context);
}

FailureOr<int64_t> mlir::nnet3::findRightContext(NetworkOp network,
                                                 const NodeTable &nodes,
                                                 const NetworkContext &context,
                                                 const StreamOptions &options) {
  if (failed(StreamPlanner(network, nodes, options).check()))
    return failure();
  int64_t right = context.right;
  // An i-vector becomes available for all frames of its period at once, so more
  // outputs may be computable than before.
  for (int i = 0; i < kMaxWidenings; ++i) {
    const FailureOr<int64_t> missing =
        StreamPlanner(network, nodes, options).findMissingFrames(right);
    if (failed(missing))
      break;
    if (*missing == 0)
      return right;
    right += *missing;
  }
  return network.emitError("cannot stream: the last outputs of a chunk cannot "
                           "be computed, however many frames follow it");
}

FailureOr<SmallVector<std::optional<int64_t>>> mlir::nnet3::findPoolingLags(
    NetworkOp network, const NodeTable &nodes, const NetworkContext &context,
    const StreamOptions &options, ArrayRef<int32_t> pools) {
  StreamPlanner planner(network, nodes, options);
  if (failed(planner.propagate(context)))
    return failure();
  SmallVector<std::optional<int64_t>> lags;
  for (const int32_t pool : pools)
    lags.push_back(planner.getLag(pool));
  return lags;
}
