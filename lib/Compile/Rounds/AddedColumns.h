//===- AddedColumns.h - Derivatives before a backward pass ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_ROUNDS_ADDEDCOLUMNS_H
#define NNET3_LIB_COMPILE_ROUNDS_ADDEDCOLUMNS_H

#include "RowReaders.h"
#include "nnet3/Compile/StackSteps.h"

namespace mlir::nnet3 {

/// To which derivatives the backward passes of epochs add. Commands of rounds
/// add to views of the rows that they read, other commands to whole matrices.
class AddedColumns {
public:
  /// `rounds` are the rounds of all recurrences, with their stacks.
  AddedColumns(const ComputationGraph &graph, const StepList &list,
               const RowReaders &readers, ArrayRef<StepRounds> rounds);

  /// Returns a number for the columns of a row to whose derivatives the
  /// backward passes of epochs after `epoch` add. These are all columns, the
  /// columns of some dim-range nodes, or none, for which the number is 0.
  uint64_t get(int32_t epoch, int32_t id) const;

private:
  /// A row of a node; `id` is -1 if it is not needed, but the matrix has it.
  struct Row {
    int32_t node, id, matrix;
  };

  /// Returns the stack of a step; the step itself if it has none.
  int32_t getMatrix(int32_t step) const {
    const int32_t stack = stacks.get(step);
    return stack < 0 ? step : stack;
  }
  /// Returns the node whose columns a dim-range node takes; others are their
  /// own.
  int32_t getOwner(int32_t node) const;
  Row getRow(int32_t id) const;
  bool isAdded(int32_t epoch, const Row &row) const;
  uint64_t getWithViews(int32_t epoch, const Row &row) const;
  uint64_t getOfViews(int32_t epoch, const Row &row) const;

  const ComputationGraph &graph;
  const StepList &list;
  StackSteps stacks;
  // The last epoch with commands that add, -1 if there is none:
  /// to the row, from rounds.
  std::vector<int32_t> lastToRow;
  /// to the matrix of the step, from other steps.
  std::vector<int32_t> lastToMatrix;
  /// to any row of the node or of dim-range nodes that take its columns.
  std::vector<int32_t> lastToNode;
  /// For each node, the dim-range nodes that take columns of it.
  std::vector<SmallVector<int32_t, 2>> views;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_ROUNDS_ADDEDCOLUMNS_H
