//===- TimeBounds.cpp - Bounds of computable times ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeBounds.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Largest modulus for which the reads of a component are queried.
static constexpr int64_t kMaxModulus = 4096;

std::optional<TimeRange> TimeBounds::clamp(const TimeRange &range) const {
  int64_t begin = range.first, end = range.last;
  if (begin < first)
    begin +=
        llvm::divideCeilSigned(first - begin, int64_t(range.step)) * range.step;
  end = std::min(end, last);
  if (begin > end)
    return std::nullopt;
  return TimeRange{int32_t(begin), int32_t(end), range.step};
}

static TimeBounds intersect(const TimeBounds &a, const TimeBounds &b) {
  return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

/// Returns the smallest bounds that contain both.
static TimeBounds unite(const TimeBounds &a, const TimeBounds &b) {
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// Returns the times at which the row of the expression may be computable.
static TimeBounds getBounds(const ForwardExpr &expr,
                            ArrayRef<TimeBounds> nodes) {
  if (expr.kind == ForwardExpr::Kind::Node)
    return nodes[expr.node];
  TimeBounds bounds = getBounds(expr.operands.front(), nodes);
  switch (expr.kind) {
  case ForwardExpr::Kind::Offset:
    return {bounds.first - expr.t, bounds.last - expr.t};
  case ForwardExpr::Kind::Round:
    return {bounds.first, bounds.last + expr.t - 1};
  case ForwardExpr::Kind::ReplaceT:
    return {};
  case ForwardExpr::Kind::Switch:
    for (const ForwardExpr &operand : ArrayRef(expr.operands).drop_front())
      bounds = unite(bounds, getBounds(operand, nodes));
    return bounds;
  case ForwardExpr::Kind::ReplaceX:
  case ForwardExpr::Kind::Node:
    return bounds;
  }
  llvm_unreachable("all kinds are handled");
}

static TimeBounds getBounds(const SumExpr &sum, ArrayRef<TimeBounds> nodes) {
  switch (sum.kind) {
  case SumExpr::Kind::Forward:
    return getBounds(sum.forward, nodes);
  case SumExpr::Kind::Const:
  case SumExpr::Kind::IfDefined:
    return {};
  case SumExpr::Kind::Sum:
    return intersect(getBounds(sum.operands[0], nodes),
                     getBounds(sum.operands[1], nodes));
  case SumExpr::Kind::Failover:
    return unite(getBounds(sum.operands[0], nodes),
                 getBounds(sum.operands[1], nodes));
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

bool mlir::nnet3::needsAllInputs(ComponentOpInterface component) {
  const Index output = {0, 0, 0};
  if (component.getOptionalTimes(output))
    return false;
  SmallVector<Index> inputs;
  component.getInputIndexes(output, inputs);
  return !inputs.empty() && llvm::all_of(inputs, [&](const Index &missing) {
    return !component.isComputable(
        output, [&](Index index) { return !(index == missing); }, nullptr);
  });
}

/// Returns the times that a row of a component reads, at least one of which
/// must be computable. Null if the row needs none of them, or reads nothing.
static std::optional<TimeBounds> getTimesRead(ComponentOpInterface component,
                                              Index output) {
  SmallVector<Index> inputs;
  component.getInputIndexes(output, inputs);
  if (inputs.empty() ||
      component.isComputable(output, [](Index) { return false; }, nullptr))
    return std::nullopt;
  TimeBounds times{inputs.front().t, inputs.front().t};
  for (const Index &input : inputs)
    times = unite(times, {input.t, input.t});
  return times;
}

/// Returns the bounds of a component. The reads of any row are no further away
/// than those of one of the first `modulus` rows.
static TimeBounds getBounds(ComponentOpInterface component,
                            const TimeBounds &input) {
  int64_t modulus = component.getTimeModulus();
  if (modulus > kMaxModulus)
    return {};
  bool isOptional = component.getOptionalTimes({0, 0, 0}).has_value();
  std::optional<TimeBounds> distances;
  for (int32_t t = 0; t < modulus; ++t) {
    std::optional<TimeBounds> times;
    if (!isOptional) {
      times = getTimesRead(component, {0, t, 0});
      if (!times)
        return {};
    } else if (auto range = component.getOptionalTimes({0, t, 0})) {
      times = TimeBounds{range->first, range->last};
    } else {
      continue; // this row is not computable
    }
    TimeBounds some{times->first - t, times->last - t};
    distances = distances ? unite(*distances, some) : some;
  }
  if (!distances)
    return {};
  if (modulus == 1 && needsAllInputs(component))
    return {input.first - distances->first, input.last - distances->last};
  return {input.first - distances->last, input.last - distances->first};
}

static TimeBounds getBounds(const NodeTable &nodes, int32_t number,
                            ArrayRef<TimeBounds> bounds) {
  const Node &node = nodes[number];
  switch (node.kind) {
  case Node::Kind::Input:
    return {0, -1};
  case Node::Kind::DimRange:
    return bounds[node.source];
  case Node::Kind::Component:
    if (has(node.properties, ComponentProperties::Simple))
      return bounds[number - 1];
    return getBounds(node.component, bounds[number - 1]);
  case Node::Kind::Descriptor: {
    TimeBounds result;
    for (const DescriptorPart &part : node.parts)
      result = intersect(result, getBounds(part.sum, bounds));
    return result;
  }
  }
  llvm_unreachable("all kinds are handled");
}

std::vector<TimeBounds>
mlir::nnet3::computeTimeBounds(const NodeTable &nodes, ArrayRef<int32_t> order,
                               ArrayRef<std::optional<TimeBounds>> supplied) {
  std::vector<TimeBounds> bounds(nodes.size());
  for (int32_t node : order) {
    bounds[node] = getBounds(nodes, node, bounds);
    if (supplied[node])
      bounds[node] = unite(bounds[node], *supplied[node]);
  }
  return bounds;
}
