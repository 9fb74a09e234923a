//===- RunningSums.cpp - Statistics of all frames so far ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum at time t is the statistics of t added to the sum at t - period. The
// state of this recurrence is one row, and it adds the frames in order,
// wherever chunks end. A row of the pooling node reads the latest available sum
// within its right context.
//
//===----------------------------------------------------------------------===//

#include "RunningSums.h"
#include "RowReads.h"
#include "nnet3/Dialect/Nnet3/Analysis/UnusedName.h"

using namespace mlir;
using namespace mlir::nnet3;

/// If the pooling node had to choose among more rows, it keeps its input rows
/// instead.
static constexpr int64_t kMaxChoices = 256;

/// Returns true if all rows of the node at multiples of `period` read the same
/// rows apart from a shift in time. Then no row after the first is missing.
static bool repeatsAfter(const NodeTable &nodes, int32_t node, int64_t period) {
  DenseSet<int32_t> seen = {node};
  SmallVector<int32_t> work = {node};
  while (!work.empty()) {
    const int32_t next = work.pop_back_val();
    if (period % nodes[next].modulus != 0)
      return false;
    SmallVector<Cindex> sources;
    for (int64_t t = 0; t < nodes[next].modulus; ++t)
      getSourceEnds(nodes, {next, {0, int32_t(t), 0}}, sources);
    for (const Cindex &source : sources)
      if (seen.insert(source.node).second)
        work.push_back(source.node);
  }
  return true;
}

static SmallVector<int32_t> findPools(const NodeTable &nodes,
                                      int64_t maxFrames) {
  SmallVector<int32_t> pools;
  if (maxFrames == 0)
    return pools;
  const NodeEpochs epochs = computeEpochs(nodes);
  for (int32_t node = 0; node < nodes.size(); ++node) {
    ComponentOpInterface component = nodes[node].component;
    auto pool = dyn_cast_if_present<StatisticsPoolingOp>(
        component ? component.getOperation() : nullptr);
    if (pool && int64_t(pool.getLeftContext()) >= maxFrames &&
        epochs.nodes[epochs.epochOf[node]].size() == 1 &&
        repeatsAfter(nodes, node - 1, pool.getInputPeriod()))
      pools.push_back(node);
  }
  return pools;
}

/// Adds a node for the sum of the pooling node's inputs at t, t - period and so
/// on.
static Value addSum(NetworkOp network, ComponentNodeOp pool, int64_t period) {
  OpBuilder builder(pool);
  const Location loc = pool.getLoc();
  const Type type = pool.getInput().getType();
  const int64_t dim = cast<RowsType>(type).getDim();
  const auto addNode = [&](StringRef suffix, Value input) {
    const std::string name =
        getUnusedName(network, (pool.getName() + suffix).str());
    builder.setInsertionPointToStart(&network.getBody().front());
    NoOpOp::create(builder, loc, name, dim, APFloat(1.0f), DictionaryAttr());
    builder.setInsertionPoint(pool);
    return ComponentNodeOp::create(builder, loc, type, name, name, input);
  };
  Value input = pool.getInput();
  // A term of a sum must be a single node.
  if (!input.getDefiningOp<ComponentNodeOp>())
    input = addNode(".statistics", input);
  ComponentNodeOp sum = addNode(".sum", input);
  Value before = IfDefinedOp::create(
      builder, loc, type,
      OffsetOp::create(builder, loc, type, sum, int32_t(-period), 0));
  sum.getInputMutable().assign(
      SumOp::create(builder, loc, type, ValueRange{input, before}));
  return sum;
}

/// Makes the pooling node read the latest sum from `lag` frames before it to
/// `right` frames after it.
static void readSum(NetworkOp network, ComponentNodeOp pool, int64_t lag) {
  auto component = cast<StatisticsPoolingOp>(
      SymbolTable::lookupSymbolIn(network, pool.getComponentAttr()));
  const int64_t period = component.getInputPeriod();
  const int64_t right = component.getRightContext();
  const Value sum = addSum(network, pool, period);
  OpBuilder builder(pool);
  const Type type = sum.getType();
  Value latest;
  for (int64_t t = -std::max(lag, -right); t <= right; t += period) {
    Value there = sum;
    if (t != 0)
      there =
          OffsetOp::create(builder, pool.getLoc(), type, sum, int32_t(t), 0);
    latest =
        latest ? FailoverOp::create(builder, pool.getLoc(), type, there, latest)
                     .getResult()
               : there;
  }
  pool.getInputMutable().assign(latest);
  const std::string name =
      getUnusedName(network, (pool.getName() + ".pool").str());
  builder.setInsertionPoint(component);
  auto single = cast<StatisticsPoolingOp>(builder.clone(*component));
  SymbolTable::setSymbolName(single, name);
  single.setLeftContext(0);
  single.setRightContext(0);
  pool.setComponent(name);
  if (SymbolTable::symbolKnownUseEmpty(component, network))
    component.erase();
}

FailureOr<bool> mlir::nnet3::keepRunningSums(NetworkOp network,
                                             const NodeTable &original,
                                             const NodeTable &nodes,
                                             const NetworkContext &context,
                                             const StreamOptions &options) {
  const SmallVector<int32_t> pools = findPools(original, options.maxFrames);
  if (pools.empty())
    return false;
  const auto lags = findPoolingLags(network, nodes, context, options, pools);
  if (failed(lags))
    return failure();
  bool changed = false;
  for (auto [number, lag] : llvm::zip(pools, *lags)) {
    auto component = cast<StatisticsPoolingOp>(nodes[number].component);
    if (!lag || (*lag + int64_t(component.getRightContext())) /
                        int64_t(component.getInputPeriod()) >=
                    kMaxChoices)
      continue;
    readSum(network, cast<ComponentNodeOp>(nodes[number].op), *lag);
    changed = true;
  }
  return changed;
}
