//===- AddedColumns.h - Derivatives before a backward pass ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_ROUNDS_ADDEDCOLUMNS_H
#define NNET3_LIB_COMPILE_ROUNDS_ADDEDCOLUMNS_H

#include "RowReaders.h"
#include "nnet3/Compile/StepRounds.h"

#include <map>

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

  Row getRow(int32_t id) const;
  bool isAdded(int32_t epoch, const Row &row) const;
  uint64_t getOfViews(int32_t epoch, const Row &row) const;

  const ComputationGraph &graph;
  const StepList &list;
  /// For each step, the first step with the same stack; itself if there is
  /// none.
  std::vector<int32_t> matrixOf;
  /// That step for the columns of a stack that a dim-range node takes outside
  /// of the rounds.
  std::map<std::pair<int32_t, int32_t>, int32_t> stackColumns;
  // The last epoch with commands that add, -1 if there is none:
  /// to the row, from rounds.
  std::vector<int32_t> lastToRow;
  /// to the matrix of the step, from other steps.
  std::vector<int32_t> lastToMatrix;
  /// For each node, the dim-range nodes that take columns of it.
  std::vector<SmallVector<int32_t, 2>> views;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_ROUNDS_ADDEDCOLUMNS_H
