//===- RowReads.cpp - Rows that a row reads -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowReads.h"
#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

bool mlir::nnet3::findUsedRows(const NodeTable &nodes, const Cindex &row,
                               RowPredicate available,
                               SmallVectorImpl<Cindex> *used) {
  const Node &node = nodes[row.node];
  switch (node.kind) {
  case Node::Kind::Input:
    return false;
  case Node::Kind::DimRange: {
    const Cindex source{node.source, row.index};
    if (!available(source))
      return false;
    if (used)
      used->push_back(source);
    return true;
  }
  case Node::Kind::Descriptor:
  case Node::Kind::Component:
    return isComputable(nodes, row, available, used);
  }
  llvm_unreachable("all kinds are handled");
}

/// Follows dim-ranges to the row of an input or component.
static Cindex getMatrixRow(const NodeTable &nodes, Cindex row) {
  while (nodes[row.node].kind == Node::Kind::DimRange)
    row.node = nodes[row.node].source;
  return row;
}

bool mlir::nnet3::findUsedMatrixRows(const NodeTable &nodes, const Cindex &row,
                                     RowPredicate available,
                                     SmallVectorImpl<Cindex> &used) {
  const auto isThere = [&](const Cindex &source) {
    return available(getMatrixRow(nodes, source));
  };
  SmallVector<Cindex> inputs = {row};
  if (nodes[row.node].kind == Node::Kind::Component) {
    inputs.clear();
    const auto hasInput = [&](const Cindex &input) {
      return isComputable(nodes, input, isThere);
    };
    if (!isComputable(nodes, row, hasInput, &inputs))
      return false;
  }
  SmallVector<Cindex> sources;
  for (const Cindex &input : inputs)
    if (!isComputable(nodes, input, isThere, &sources))
      return false;
  for (const Cindex &source : sources)
    used.push_back(getMatrixRow(nodes, source));
  return true;
}

bool mlir::nnet3::readsAnyRows(const NodeTable &nodes, int32_t node) {
  ComponentOpInterface component = nodes[node].component;
  // Time 0 is a multiple of every period.
  return component && component.getOptionalTimes({0, 0, 0}).has_value();
}

void mlir::nnet3::getSourceEnds(const NodeTable &nodes, const Cindex &row,
                                SmallVectorImpl<Cindex> &sources) {
  if (!readsAnyRows(nodes, row.node))
    return getSourceRows(nodes, row, sources);
  ComponentOpInterface component = nodes[row.node].component;
  if (auto times = component.getOptionalTimes(row.index))
    for (const int32_t t : {times->first, times->last})
      sources.push_back({row.node - 1, {row.index.n, t, row.index.x}});
}

void mlir::nnet3::findAllMatrixRows(const NodeTable &nodes, const Cindex &row,
                                    SmallVectorImpl<Cindex> &rows) {
  SmallVector<Cindex> inputs = {row}, sources;
  if (nodes[row.node].kind == Node::Kind::Component) {
    inputs.clear();
    getSourceRows(nodes, row, inputs);
  }
  for (const Cindex &input : inputs)
    getSourceRows(nodes, input, sources);
  for (const Cindex &source : sources)
    rows.push_back(getMatrixRow(nodes, source));
}
