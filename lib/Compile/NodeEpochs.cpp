//===- NodeEpochs.cpp - The order of a network's nodes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/NodeTable.h"

#include "llvm/ADT/SmallSet.h"
#include <queue>

using namespace mlir;
using namespace mlir::nnet3;

static void collectNodes(const ForwardExpr &expr,
                         SmallVectorImpl<int32_t> &nodes) {
  if (expr.kind == ForwardExpr::Kind::Node)
    nodes.push_back(expr.node);
  for (const ForwardExpr &operand : expr.operands)
    collectNodes(operand, nodes);
}

static void collectNodes(const SumExpr &expr, SmallVectorImpl<int32_t> &nodes) {
  if (expr.kind == SumExpr::Kind::Forward)
    collectNodes(expr.forward, nodes);
  for (const SumExpr &operand : expr.operands)
    collectNodes(operand, nodes);
}

/// Returns the nodes that each node reads, in ascending order.
static std::vector<SmallVector<int32_t>> getSources(const NodeTable &nodes) {
  std::vector<SmallVector<int32_t>> sources(nodes.size());
  for (int32_t n = 0; n < nodes.size(); ++n) {
    const Node &node = nodes[n];
    if (node.kind == Node::Kind::Component)
      sources[n].push_back(n - 1);
    if (node.kind == Node::Kind::DimRange)
      sources[n].push_back(node.source);
    for (const DescriptorPart &part : node.parts)
      collectNodes(part.sum, sources[n]);
    llvm::sort(sources[n]);
    sources[n].erase(std::unique(sources[n].begin(), sources[n].end()),
                     sources[n].end());
  }
  return sources;
}

namespace {
/// Tarjan's algorithm, with an explicit stack.
class StronglyConnected {
public:
  explicit StronglyConnected(ArrayRef<SmallVector<int32_t>> arcs)
      : arcs(arcs), number(arcs.size(), -1), low(arcs.size()),
        onStack(arcs.size()), component(arcs.size(), -1) {
    for (size_t node = 0; node < arcs.size(); ++node)
      if (number[node] < 0)
        visit(node);
  }

  int32_t numComponents() const { return count; }
  int32_t operator[](int32_t node) const { return component[node]; }

private:
  void enter(int32_t node) {
    number[node] = low[node] = clock++;
    stack.push_back(node);
    onStack[node] = true;
    frames.push_back({node, 0});
  }

  void leave(int32_t node) {
    if (low[node] != number[node])
      return;
    int32_t member;
    do {
      member = stack.pop_back_val();
      onStack[member] = false;
      component[member] = count;
    } while (member != node);
    ++count;
  }

  void visit(int32_t root) {
    enter(root);
    while (!frames.empty()) {
      auto &[node, next] = frames.back();
      if (next < arcs[node].size()) {
        int32_t target = arcs[node][next++];
        if (number[target] < 0)
          enter(target);
        else if (onStack[target])
          low[node] = std::min(low[node], number[target]);
        continue;
      }
      int32_t done = node;
      frames.pop_back();
      leave(done);
      if (!frames.empty()) {
        int32_t parent = frames.back().first;
        low[parent] = std::min(low[parent], low[done]);
      }
    }
  }

  ArrayRef<SmallVector<int32_t>> arcs;
  std::vector<int32_t> number, low;
  std::vector<bool> onStack;
  std::vector<int32_t> component;
  SmallVector<int32_t> stack;
  SmallVector<std::pair<int32_t, size_t>> frames;
  int32_t clock = 0, count = 0;
};
} // namespace

/// Returns a topological order of an acyclic graph: reverse postorder of a
/// depth-first search. A branch is finished before the next one starts, so its
/// matrices can be reused.
static std::vector<int32_t>
orderDepthFirst(ArrayRef<int32_t> roots, ArrayRef<SmallVector<int32_t>> users) {
  std::vector<int32_t> order;
  std::vector<bool> visited(users.size());
  SmallVector<std::pair<int32_t, size_t>> stack; // vertex and next user
  for (int32_t root : roots) {
    if (!visited[root])
      stack.push_back({root, 0});
    visited[root] = true;
    while (!stack.empty()) {
      auto &[vertex, next] = stack.back();
      if (next == users[vertex].size()) {
        order.push_back(vertex);
        stack.pop_back();
        continue;
      }
      int32_t user = users[vertex][next++];
      if (!visited[user])
        stack.push_back({user, 0});
      visited[user] = true;
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

NodeEpochs mlir::nnet3::computeEpochs(const NodeTable &nodes) {
  std::vector<SmallVector<int32_t>> sources = getSources(nodes);
  StronglyConnected connected(sources);

  // The graph of components: the users and the nodes of each.
  int32_t count = connected.numComponents();
  std::vector<SmallVector<int32_t>> users(count);
  std::vector<SmallVector<int32_t, 1>> members(count);
  SmallVector<int32_t> roots; // in order of their smallest nodes
  for (int32_t node = 0; node < nodes.size(); ++node) {
    int32_t to = connected[node];
    if (members[to].empty())
      roots.push_back(to);
    members[to].push_back(node);
    for (int32_t source : sources[node])
      if (int32_t from = connected[source]; from != to)
        users[from].push_back(to);
  }
  std::vector<int32_t> order = orderDepthFirst(roots, users);
  NodeEpochs epochs;
  epochs.epochOf.resize(nodes.size());
  for (int32_t c : order) {
    for (int32_t node : members[c])
      epochs.epochOf[node] = epochs.nodes.size();
    epochs.nodes.push_back(members[c]);
  }
  return epochs;
}
