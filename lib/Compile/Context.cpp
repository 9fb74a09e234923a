//===- Context.cpp - The context of a network -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Context.h"
#include "TimeBounds.h"
#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Emits an error unless the network is simple.
static LogicalResult verifySimple(NetworkOp network, const NodeTable &nodes) {
  int32_t output = nodes.find("output"), input = nodes.find("input");
  if (output < 0 || !nodes[output].isOutput)
    return network.emitError("the network has no output node 'output'");
  if (input < 0 || nodes[input].kind != Node::Kind::Input)
    return network.emitError("the network has no input node 'input'");
  for (const Node &node : nodes.getNodes())
    if (node.kind == Node::Kind::Input && node.name != "input" &&
        node.name != "ivector")
      return node.op->emitError("expects no other inputs than 'input' and "
                                "'ivector', but got '")
             << node.name << "'";
  return success();
}

/// Returns which outputs at [start, start + window) are computable from inputs
/// at the same times; empty if the graph does not end. Outputs outside of
/// `bounds`, relative to `start`, are known not to be computable.
static std::vector<bool> getComputable(const NodeTable &nodes, int64_t start,
                                       int64_t window,
                                       const TimeBounds &bounds) {
  ComputationGraph graph(nodes);
  int32_t input = nodes.find("input"), output = nodes.find("output");
  int32_t ivector = nodes.find("ivector");
  auto at = [](int32_t node, int64_t t) {
    return Cindex{node, {0, int32_t(t), 0}};
  };
  for (int64_t t = start; t < start + window; ++t)
    graph.addInput(at(input, t));
  if (ivector >= 0)
    for (int64_t t = start - nodes.getModulus(); t < start + window; ++t)
      graph.addInput(at(ivector, t));
  for (int64_t t = bounds.first; t <= bounds.last; ++t)
    graph.addOutput(at(output, start + t));
  if (!graph.decideFeedForward() &&
      graph.compute() != ComputationGraph::Result::Done)
    return {};
  std::vector<bool> computable(window);
  for (int64_t t = bounds.first; t <= bounds.last; ++t)
    computable[t] = graph.getComputable(graph.find(at(output, start + t))) ==
                    Computable::Yes;
  return computable;
}

/// Returns the context seen from a window: the number of outputs before and
/// after the longest run of computable ones. (Kaldi takes the first run, which
/// is wrong if computable outputs alternate at the edge.) Fails if nothing is
/// computable.
static FailureOr<NetworkContext> getContextOfWindow(const NodeTable &nodes,
                                                    int64_t start,
                                                    int64_t window,
                                                    const TimeBounds &bounds) {
  std::vector<bool> computable = getComputable(nodes, start, window, bounds);
  // The longest run of computable outputs.
  size_t best = 0, bestFirst = 0;
  for (size_t first = 0; first < computable.size();) {
    size_t end = first;
    while (end < computable.size() && computable[end])
      ++end;
    if (end - first > best) {
      best = end - first;
      bestFirst = first;
    }
    first = std::max(end, first + 1);
  }
  if (best == 0)
    return failure();
  return NetworkContext{int64_t(bestFirst),
                        int64_t(computable.size() - bestFirst - best), 1};
}

/// Returns the nodes in topological order; none if there is a recurrence.
static SmallVector<int32_t> getOrder(const NodeTable &nodes) {
  SmallVector<int32_t> order;
  for (ArrayRef<int32_t> epoch : computeEpochs(nodes).nodes) {
    if (epoch.size() > 1)
      return {};
    order.push_back(epoch.front());
  }
  return order;
}

/// Whether an expression reads rows at a constant time offset, or a fixed row
/// of an input, which has all rows that are requested.
static bool readsAround(const NodeTable &nodes, const ForwardExpr &expr) {
  if (expr.kind == ForwardExpr::Kind::Node)
    return true;
  if (expr.kind == ForwardExpr::Kind::Offset && expr.x == 0)
    return readsAround(nodes, expr.operands.front());
  const ForwardExpr &operand = expr.operands.front();
  return expr.kind == ForwardExpr::Kind::ReplaceT && expr.t == 0 &&
         operand.kind == ForwardExpr::Kind::Node &&
         nodes[operand.node].kind == Node::Kind::Input;
}

static bool readsAround(const NodeTable &nodes, const SumExpr &sum) {
  if (sum.kind == SumExpr::Kind::Forward)
    return readsAround(nodes, sum.forward);
  return llvm::all_of(sum.operands, [&](const SumExpr &operand) {
    return readsAround(nodes, operand);
  });
}

/// Whether a row of the node is computable only if all rows that it reads are.
static bool needsAll(const Node &node) {
  return node.kind == Node::Kind::Input || node.needsAllDependencies ||
         (node.kind == Node::Kind::Component && needsAllInputs(node.component));
}

/// Whether, for inputs in a range from 0 on, the computable rows of each node
/// are exactly those within its bounds.
static bool areBoundsExact(const NodeTable &nodes, ArrayRef<int32_t> order) {
  return !order.empty() && llvm::all_of(order, [&](int32_t number) {
    const Node &node = nodes[number];
    return node.modulus == 1 && needsAll(node) &&
           llvm::all_of(node.parts, [&](const DescriptorPart &part) {
             return readsAround(nodes, part.sum);
           });
  });
}

/// Returns bounds of the outputs that may be computable from inputs at [0,
/// window). The cost does not depend on the window.
static TimeBounds getOutputBounds(const NodeTable &nodes,
                                  ArrayRef<int32_t> order, int64_t window) {
  if (order.empty())
    return {0, window - 1};
  std::vector<std::optional<TimeBounds>> supplied(nodes.size());
  supplied[nodes.find("input")] = TimeBounds{0, window - 1};
  if (int32_t ivector = nodes.find("ivector"); ivector >= 0)
    supplied[ivector] = TimeBounds{-nodes.getModulus(), window - 1};
  const TimeBounds bounds =
      computeTimeBounds(nodes, order, supplied)[nodes.find("output")];
  return {std::max<int64_t>(bounds.first, 0),
          std::min(bounds.last, window - 1)};
}

FailureOr<NetworkContext> mlir::nnet3::computeContext(NetworkOp network,
                                                      const NodeTable &nodes) {
  if (failed(verifySimple(network, nodes)))
    return failure();
  int64_t modulus = nodes.getModulus();
  // Optional reads do not affect computability.
  NodeTable needed = nodes.withoutOptionalReads();
  const SmallVector<int32_t> order = getOrder(needed);
  const bool isExact = areBoundsExact(needed, order);
  for (int64_t window = 40; window < 800; window *= 2) {
    NetworkContext context;
    context.modulus = modulus;
    // Bounds are the same for every start, relative to it.
    TimeBounds bounds = getOutputBounds(needed, order, window);
    bool ok = modulus < window && bounds.first <= bounds.last;
    if (ok && isExact)
      return NetworkContext{bounds.first, window - 1 - bounds.last, modulus};
    for (int64_t start = 0; ok && start < modulus; ++start) {
      FailureOr<NetworkContext> seen =
          getContextOfWindow(needed, start, window, bounds);
      ok = succeeded(seen);
      if (!ok)
        break;
      context.left = std::max(context.left, seen->left);
      context.right = std::max(context.right, seen->right);
    }
    if (ok)
      return context;
  }
  return network.emitError("cannot find the network's context: no output is "
                           "computable from 640 frames of input");
}
