//===- CommandAnalysisQueries.cpp - Queries about commands ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the cell that starts at a boundary.
static int32_t findCell(ArrayRef<int64_t> splits, int64_t boundary) {
  if (boundary == splits.front())
    return 0;
  if (boundary == splits.back())
    return splits.size() - 1;
  return llvm::lower_bound(splits, boundary) - splits.begin();
}

WindowVariables CommandAnalysis::getVariables(int32_t matrix, int64_t row,
                                              int64_t rows, int64_t col,
                                              int64_t cols) const {
  const MatrixVariables &variables = matrices[matrix];
  return {matrix,
          variables.firstVariable,
          variables.numColCells(),
          findCell(variables.rowSplits, row),
          findCell(variables.rowSplits, row + rows),
          findCell(variables.colSplits, col),
          findCell(variables.colSplits, col + cols)};
}

static void printExtent(raw_ostream &os, ArrayRef<int64_t> splits,
                        int32_t cell) {
  if (splits.size() == 2)
    os << ":";
  else
    os << splits[cell] << ":" << splits[cell + 1] - 1;
}

void CommandAnalysis::printVariable(raw_ostream &os, int32_t variable) const {
  auto it = llvm::upper_bound(
      matrices, variable, [](int32_t number, const MatrixVariables &matrix) {
        return number < matrix.firstVariable;
      });
  const MatrixVariables &matrix = *std::prev(it);
  int32_t cell = variable - matrix.firstVariable;
  os << "m" << std::prev(it) - matrices.begin();
  if (matrix.numVariables() == 1)
    return;
  os << "(";
  printExtent(os, matrix.rowSplits, cell / matrix.numColCells());
  os << ", ";
  printExtent(os, matrix.colSplits, cell % matrix.numColCells());
  os << ")";
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

int32_t CommandAnalysis::getNumber(Operation *command) const {
  auto it = llvm::partition_point(commands, [&](Operation *other) {
    return other != command && other->isBeforeInBlock(command);
  });
  return it - commands.begin();
}

int32_t
CommandAnalysis::getFirstNontrivialAccess(const WindowVariables &window) const {
  int32_t first = getNumCommands();
  window.forEach([&](int32_t variable) {
    ArrayRef<Access> accesses = variableAccesses[variable];
    for (const Access &access : accesses)
      if (!access.isZeroing) {
        first = std::min(first, access.command);
        break;
      }
  });
  return first;
}

int32_t CommandAnalysis::getLastAccess(const WindowVariables &window) const {
  int32_t last = -1;
  window.forEach([&](int32_t variable) {
    ArrayRef<Access> accesses = variableAccesses[variable];
    if (!accesses.empty())
      last = std::max(last, accesses.back().command);
  });
  return last;
}

int32_t
CommandAnalysis::getLastWriteAccess(const WindowVariables &window) const {
  if (matrixAccesses[window.matrix].isOutput)
    return getNumCommands();
  int32_t last = -1;
  window.forEach(
      [&](int32_t variable) { last = std::max(last, lastWrites[variable]); });
  return last;
}

int32_t CommandAnalysis::getDataInvalidatedCommand(
    int32_t command, const WindowVariables &window) const {
  int32_t first = getNumCommands();
  window.forEach([&](int32_t variable) {
    ArrayRef<Access> accesses = variableAccesses[variable];
    const Access *it = llvm::upper_bound(
        accesses, command,
        [](int32_t number, const Access &a) { return number < a.command; });
    for (; it != accesses.end(); ++it)
      if (it->writes()) {
        first = std::min(first, it->command);
        break;
      }
  });
  if (first < getNumCommands())
    return first;
  int32_t deallocate = matrixAccesses[window.matrix].deallocate;
  return deallocate >= 0 ? deallocate : first;
}
