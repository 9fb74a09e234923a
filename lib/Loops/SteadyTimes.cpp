//===- SteadyTimes.cpp - Times at which a request repeats -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SteadyTimes.h"
#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// How far before or behind an output's row the rows of a node are that it
/// depends on, at most.
struct Reach {
  bool isRead = false;
  int64_t back = 0, ahead = 0;
  /// With each read of a recurrence once.
  int64_t allBack = 0, allAhead = 0;

  void add(const Reach &reader, int64_t shift) {
    isRead = true;
    const int64_t earlier = std::max<int64_t>(-shift, 0),
                  later = std::max<int64_t>(shift, 0);
    back = std::max(back, reader.back + earlier);
    ahead = std::max(ahead, reader.ahead + later);
    allBack = std::max(allBack, reader.allBack + earlier);
    allAhead = std::max(allAhead, reader.allAhead + later);
  }
};

class ReachFinder {
public:
  explicit ReachFinder(const NodeTable &nodes)
      : nodes(nodes), epochs(computeEpochs(nodes)), reach(epochs.nodes.size()) {
  }

  void run();

  const Reach &getReach(int32_t node) const {
    return reach[epochs.epochOf[node]];
  }
  /// The largest reach of all nodes.
  const Reach &getTotal() const { return total; }
  /// The times of rows that are read at any time.
  ArrayRef<int64_t> getFixedTimes() const { return fixedTimes; }

private:
  template <typename Fn> void forEachRead(int32_t node, Fn fn);

  const NodeTable &nodes;
  NodeEpochs epochs;
  std::vector<Reach> reach; // of each epoch
  Reach total;
  SmallVector<int64_t> fixedTimes;
};
} // namespace

/// Calls `fn` for each row that rows of the node read at a constant distance.
template <typename Fn> void ReachFinder::forEachRead(int32_t node, Fn fn) {
  const int64_t modulus = nodes[node].modulus;
  for (int64_t t = 0; t < modulus; ++t) {
    SmallVector<Cindex> sources, later;
    getSourceRows(nodes, {node, {0, int32_t(t), 0}}, sources);
    getSourceRows(nodes, {node, {0, int32_t(t + modulus), 0}}, later);
    for (auto [source, same] : llvm::zip(sources, later)) {
      if (source.index.t == same.index.t)
        fixedTimes.push_back(source.index.t);
      else
        fn(source.node, source.index.t - t);
    }
  }
}

void ReachFinder::run() {
  for (size_t epoch = epochs.nodes.size(); epoch-- > 0;) {
    Reach &its = reach[epoch];
    for (int32_t node : epochs.nodes[epoch]) {
      its.isRead |= nodes[node].isOutput;
      forEachRead(node, [&](int32_t source, int64_t shift) {
        if (epochs.epochOf[source] != int32_t(epoch))
          return;
        its.allBack += std::max<int64_t>(-shift, 0);
        its.allAhead += std::max<int64_t>(shift, 0);
      });
    }
    if (!its.isRead)
      continue;
    total.add(its, 0);
    for (int32_t node : epochs.nodes[epoch])
      forEachRead(node, [&](int32_t source, int64_t shift) {
        if (epochs.epochOf[source] != int32_t(epoch))
          reach[epochs.epochOf[source]].add(its, shift);
      });
  }
}

SteadyTimes SteadyTimes::get(RequestOp request, const NodeTable &nodes,
                             ArrayRef<FewerFrames::Rows> rows) {
  ReachFinder finder(nodes);
  finder.run();
  const Reach &total = finder.getTotal();
  auto getTimes = [](Operation &op) {
    return op.getAttrOfType<IndexesAttr>("indexes").getT();
  };
  SteadyTimes outputs{std::numeric_limits<int64_t>::max(),
                      std::numeric_limits<int64_t>::min()};
  for (Operation &op : request.getBody().front())
    if (isa<RequestOutputOp>(op)) {
      outputs.first = std::min<int64_t>(outputs.first, getTimes(op).front());
      outputs.last = std::max<int64_t>(outputs.last, getTimes(op).back());
    }
  SteadyTimes steady = outputs;
  auto startAt = [&](int64_t time) {
    steady.first = std::max(steady.first, time);
  };
  auto endAt = [&](int64_t time) { steady.last = std::min(steady.last, time); };
  for (auto [op, kind] : llvm::zip_equal(request.getBody().front(), rows)) {
    // A list that stays as it is starts and ends at the start of the request.
    const bool isFixed = kind == FewerFrames::Rows::Fixed;
    const bool isMoved = kind == FewerFrames::Rows::Moved;
    const int64_t first = isFixed ? getTimes(op).back() : getTimes(op).front();
    const int64_t last = isMoved ? getTimes(op).front() : getTimes(op).back();
    const bool isOutput = isa<RequestOutputOp>(op);
    const int32_t node =
        nodes.find(op.getAttrOfType<StringAttr>("name").getValue());
    if (node < 0)
      continue; // an error that compilation reports
    const Reach &reach = finder.getReach(node);
    if (isOutput) {
      if (!isMoved && first > outputs.first)
        startAt(first + total.allAhead);
      if (!isFixed && last < outputs.last)
        endAt(last - total.allBack);
    } else if (reach.isRead) {
      if (!isMoved && first + reach.back > outputs.first)
        startAt(first + reach.allBack);
      if (!isFixed && last - reach.ahead < outputs.last)
        endAt(last - reach.allAhead);
    }
  }
  for (int64_t time : finder.getFixedTimes())
    if (time > outputs.first)
      startAt(time + total.allBack + total.allAhead);
  return steady;
}
