//===- CellGraph.h - Where the cells of an LSTM are -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_PRUNING_CELLGRAPH_H
#define LIB_SURGERY_PRUNING_CELLGRAPH_H

#include "../NodeInputs.h"

#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// Columns of a component, one for each cell, from `first` on.
struct CellColumns {
  ComponentOpInterface component;
  int64_t first = 0;
};

/// Everything of a network that has a column or row for each cell of one
/// `lstm_nonlinearity`.
struct CellGraph {
  ComponentNodeOp node;
  ComponentOpInterface component;
  int64_t numCells = 0;
  /// The node that computes the four gates, rows `gate * numCells + cell`.
  ComponentNodeOp gates;
  ComponentOpInterface gatesComponent;
  /// The ranges with the states and the outputs.
  DimRangeNodeOp states, outputs;
  /// The columns of matrices that read outputs.
  SmallVector<CellColumns> readers;
  /// Nodes that pass states and outputs on, with their columns, in increasing
  /// order; each applies a component of its own.
  SmallVector<std::pair<ComponentNodeOp, SmallVector<int64_t>>> passes;
  /// The ranges of those that are states or outputs again.
  SmallVector<DimRangeNodeOp> passedRanges;
};

/// Follows the cells of `node`. The error tells what of the network is in the
/// way of removing cells.
llvm::Expected<CellGraph> followCells(NetworkOp network, ComponentNodeOp node);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_PRUNING_CELLGRAPH_H
