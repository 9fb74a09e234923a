//===- CellGraph.h - Finding the cells of an LSTM ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_PRUNING_CELLGRAPH_H
#define LIB_SURGERY_PRUNING_CELLGRAPH_H

#include "../NodeInputs.h"

#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// Consecutive columns of a component from `first` on, one per cell.
struct CellColumns {
  ComponentOpInterface component;
  int64_t first = 0;
};

/// All parts of a network that have a column or row for each cell of an
/// `lstm_nonlinearity`.
struct CellGraph {
  ComponentNodeOp node;
  ComponentOpInterface component;
  int64_t numCells = 0;
  /// The node that computes the four gates; row `gate * numCells + cell` of its
  /// matrix.
  ComponentNodeOp gates;
  ComponentOpInterface gatesComponent;
  /// The dim-ranges of the states and of the outputs.
  DimRangeNodeOp states, outputs;
  /// The matrix columns that read outputs.
  SmallVector<CellColumns> readers;
  /// Nodes that pass states and outputs on, with their columns in increasing
  /// order. Each has a component of its own.
  SmallVector<std::pair<ComponentNodeOp, SmallVector<int64_t>>> passes;
  /// The dim-ranges of `passes` that are states or outputs again.
  SmallVector<DimRangeNodeOp> passedRanges;
};

/// Follows the cells of `node`. The error says why cells cannot be removed.
llvm::Expected<CellGraph> followCells(NetworkOp network, ComponentNodeOp node);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_PRUNING_CELLGRAPH_H
