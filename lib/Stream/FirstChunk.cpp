//===- FirstChunk.cpp - Whether a chunk may begin a stream ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FirstChunk.h"
#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns true if the expression reads the node.
static bool reads(const ForwardExpr &expr, int32_t node) {
  return (expr.kind == ForwardExpr::Kind::Node && expr.node == node) ||
         llvm::any_of(expr.operands, [node](const ForwardExpr &operand) {
           return reads(operand, node);
         });
}

/// Returns true if the expression treats zero rows of the node like absent
/// rows.
static bool takesZerosAsAbsent(const SumExpr &sum, int32_t node) {
  switch (sum.kind) {
  case SumExpr::Kind::Const:
    return true;
  case SumExpr::Kind::Forward:
    return !reads(sum.forward, node);
  case SumExpr::Kind::IfDefined:
    return sum.operands.front().kind == SumExpr::Kind::Forward ||
           takesZerosAsAbsent(sum.operands.front(), node);
  case SumExpr::Kind::Sum:
  case SumExpr::Kind::Failover:
    return llvm::all_of(sum.operands, [node](const SumExpr &operand) {
      return takesZerosAsAbsent(operand, node);
    });
  }
  llvm_unreachable("all kinds are handled");
}

/// Returns true if the component reads any available rows of this descriptor,
/// and treats absent rows as zeros.
static bool isOptionalInput(const NodeTable &nodes, int32_t descriptor) {
  const Node &node = nodes[descriptor];
  if (!node.isComponentInput() || node.parts.size() != 1 ||
      node.parts.front().sum.kind != SumExpr::Kind::Forward)
    return false;
  ComponentOpInterface component = nodes[descriptor + 1].component;
  return component.getOptionalTimes({0, 0, 0}).has_value();
}

static bool takeZerosAsAbsent(const NodeTable &nodes, int32_t number) {
  for (int32_t reader = 0; reader < nodes.size(); ++reader) {
    const Node &node = nodes[reader];
    if (node.kind == Node::Kind::DimRange && node.source == number &&
        !takeZerosAsAbsent(nodes, reader))
      return false;
    if (node.kind != Node::Kind::Descriptor || isOptionalInput(nodes, reader))
      continue;
    for (const DescriptorPart &part : node.parts)
      if (!takesZerosAsAbsent(part.sum, number))
        return false;
  }
  return true;
}

/// Returns true if a row of the node is computable only if all rows that it
/// reads are.
static bool needsAll(const NodeTable &nodes, int32_t number) {
  const Node &node = nodes[number];
  return node.kind == Node::Kind::Input || node.needsAllDependencies;
}

FirstChunk::FirstChunk(const NodeTable &nodes, const StreamPlan &plan)
    : nodes(nodes) {
  for (int32_t node = 0; node < nodes.size(); ++node)
    hasOptionalReads |= !needsAll(nodes, node);
  if (!hasOptionalReads)
    return;
  for (const RowHistory &history : plan.histories)
    if (!takeZerosAsAbsent(nodes, history.node))
      needed.push_back(history);
}

std::optional<Cindex> FirstChunk::findMissing(StreamOp stream,
                                              int64_t numFrames) const {
  if (!hasOptionalReads)
    return std::nullopt;
  ComputationGraph graph(nodes);
  for (int32_t node = 0; node < nodes.size(); ++node)
    if (nodes[node].kind == Node::Kind::Input)
      for (const Index &row :
           stream.getNewRows(nodes[node].name, numFrames, /*isFirst=*/true))
        graph.addInput({node, row});
  SmallVector<Cindex> rows;
  for (const Index &row : stream.getOutputRows(numFrames))
    rows.push_back({nodes.find("output"), row});
  for (const RowHistory &history : needed)
    for (const Index &row : history.rows)
      rows.push_back({history.node, {0, int32_t(row.t + numFrames), row.x}});
  for (const Cindex &row : rows)
    graph.addOutput(row);
  if (!graph.decideFeedForward() &&
      graph.compute() != ComputationGraph::Result::Done)
    return rows.front();
  for (const Cindex &row : rows)
    if (graph.getComputable(graph.find(row)) != Computable::Yes)
      return row;
  return std::nullopt;
}
