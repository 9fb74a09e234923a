//===- CommandAnalysisUpdates.cpp - Updates after passes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

#include <tuple>

using namespace mlir;
using namespace mlir::nnet3;

void CommandAnalysis::setUndefined(int32_t matrix,
                                   AllocMatrixUndefinedOp alloc) {
  MatrixVariables &variables = matrices[matrix];
  int32_t part = partNumbers.lookup(variables.matrix);
  partNumbers.erase(variables.matrix);
  partNumbers[alloc.getResult()] = part;
  variables.matrix = alloc.getResult();
  MatrixAccesses &of = matrixAccesses[matrix];
  commands[of.allocate] = alloc;
  // The zero-fill was the first access.
  of.accesses = of.accesses.drop_front();
  for (int32_t i = 0; i < variables.numVariables(); ++i) {
    int32_t variable = variables.firstVariable + i;
    setAccesses(variable, variableAccesses[variable].drop_front());
  }
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

static void addKind(Access &access, Access::Kind kind) {
  access.kind = Access::Kind(access.kind | kind);
}

/// Extends the lifetime of a matrix to that of a merged matrix.
void CommandAnalysis::takeOver(int32_t kept, const MergedMatrix &merged) {
  MatrixAccesses &to = matrixAccesses[kept];
  const MatrixAccesses &from = matrixAccesses[merged.matrix];
  Operation *&allocation = commands[from.allocate];
  if (merged.takesPlace) {
    allocation = commands[to.allocate];
    commands[to.allocate] = nullptr;
    to.allocate = from.allocate;
  } else {
    allocation = nullptr;
  }
  auto isGone = [&](int32_t command) {
    return command < 0 || !commands[command];
  };
  if (isGone(to.deallocate))
    to.deallocate = isGone(from.deallocate) ? -1 : from.deallocate;
  to.isInput |= from.isInput;
  to.isOutput |= from.isOutput;
}

static ArrayRef<int64_t> sortUnique(MutableArrayRef<int64_t> list) {
  std::sort(list.begin(), list.end());
  return ArrayRef<int64_t>(list.begin(), llvm::unique(list));
}

/// Calls `fn` with the number of each cell and the number of the cell of
/// `other` that contains its start.
template <typename Fn>
static void forEachCell(ArrayRef<int64_t> splits, ArrayRef<int64_t> other,
                        Fn fn) {
  int32_t in = 0;
  for (int32_t cell = 0; cell + 1 < int32_t(splits.size()); ++cell) {
    while (other[in + 1] <= splits[cell])
      ++in;
    fn(cell, in);
  }
}

/// Splits a matrix into variables again, at the boundaries of its current views
/// and of the merged matrices. Each new variable gets the accesses of the old
/// variable at its start: if it covers several old variables, the remaining
/// commands access all of them alike.
void CommandAnalysis::cutAgain(int32_t kept, ArrayRef<MergedMatrix> merged) {
  MatrixVariables &matrix = matrices[kept];
  SmallVector<int64_t> rows = {0, matrix.rowSplits.back()};
  SmallVector<int64_t> cols = {0, matrix.colSplits.back()};
  auto cut = [&](int64_t row, int64_t numRows, int64_t col, int64_t numCols) {
    rows.append({row, row + numRows});
    cols.append({col, col + numCols});
  };
  for (const MergedMatrix &part : merged)
    cut(part.row, matrices[part.matrix].rowSplits.back(), part.col,
        matrices[part.matrix].colSplits.back());
  for (Operation *user : matrix.matrix.getUsers())
    if (auto view = dyn_cast<SubMatrixOp>(user)) {
      MatrixWindow window = MatrixWindow::get(view);
      cut(window.row, window.rows, window.col, window.cols);
    }
  MatrixVariables old = matrix;
  auto keep = [&](ArrayRef<int64_t> list) {
    return ArrayRef<int64_t>(list).copy(updates);
  };
  matrix.rowSplits = keep(sortUnique(rows));
  matrix.colSplits = keep(sortUnique(cols));
  matrix.firstVariable = variableAccesses.size();
  variableAccesses.resize(matrix.firstVariable + matrix.numVariables());
  lastWrites.resize(variableAccesses.size());
  forEachCell(matrix.rowSplits, old.rowSplits, [&](int32_t row, int32_t r) {
    forEachCell(matrix.colSplits, old.colSplits, [&](int32_t col, int32_t c) {
      int32_t to = matrix.firstVariable + row * matrix.numColCells() + col;
      int32_t from = old.firstVariable + r * old.numColCells() + c;
      variableAccesses[to] = variableAccesses[from];
      lastWrites[to] = lastWrites[from];
    });
  });
}

/// Merges two lists of accesses without those of erased commands.
MutableArrayRef<Access> CommandAnalysis::join(ArrayRef<Access> a,
                                              ArrayRef<Access> b) {
  Access *begin = updates.Allocate<Access>(a.size() + b.size()), *end = begin;
  while (!a.empty() || !b.empty()) {
    bool fromA =
        b.empty() || (!a.empty() && a.front().command <= b.front().command);
    ArrayRef<Access> &list = fromA ? a : b;
    const Access &access = list.front();
    if (end != begin && end[-1].command == access.command)
      addKind(end[-1], access.kind);
    else if (commands[access.command])
      *end++ = access;
    list = list.drop_front();
  }
  return {begin, end};
}

/// Returns the accesses of a matrix without that of its allocation.
static ArrayRef<Access> withoutAllocation(ArrayRef<Access> list,
                                          int32_t allocate) {
  bool isThere = !list.empty() && list.front().command == allocate;
  return list.drop_front(isThere);
}

namespace {
/// An access that a merge adds to a variable.
struct AddedAccess {
  int32_t variable;
  Access access;

  bool operator<(const AddedAccess &other) const {
    return std::tie(variable, access.command) <
           std::tie(other.variable, other.access.command);
  }
};
} // namespace

/// Calls `fn` with each variable that covers `merged` now and the variable of
/// the merged matrix that it corresponds to.
template <typename Fn>
void CommandAnalysis::forEachMerged(int32_t kept, const MergedMatrix &merged,
                                    Fn fn) const {
  const MatrixVariables &from = matrices[merged.matrix];
  WindowVariables to = getVariables(kept, merged.row, from.rowSplits.back(),
                                    merged.col, from.colSplits.back());
  auto cellAt = [](ArrayRef<int64_t> splits, int64_t at) {
    return int32_t(llvm::upper_bound(splits, at) - splits.begin()) - 1;
  };
  for (int32_t row = to.firstRow; row < to.endRow; ++row) {
    int32_t fromRow =
        cellAt(from.rowSplits, matrices[kept].rowSplits[row] - merged.row);
    for (int32_t col = to.firstCol; col < to.endCol; ++col) {
      int32_t fromCol =
          cellAt(from.colSplits, matrices[kept].colSplits[col] - merged.col);
      fn(to.firstVariable + row * to.numCols + col,
         from.firstVariable + fromRow * from.numColCells() + fromCol);
    }
  }
}

/// Builds each list once, however many matrices are merged.
void CommandAnalysis::joinVariables(int32_t kept,
                                    ArrayRef<MergedMatrix> merged) {
  SmallVector<AddedAccess> added;
  for (const MergedMatrix &part : merged)
    forEachMerged(kept, part, [&](int32_t to, int32_t from) {
      for (const Access &access : withoutAllocation(
               variableAccesses[from], matrixAccesses[part.matrix].allocate))
        added.push_back({to, access});
    });
  // The accesses of a single matrix may be sorted already.
  if (!llvm::is_sorted(added))
    std::sort(added.begin(), added.end());
  SmallVector<Access> list;
  for (size_t i = 0; i < added.size();) {
    int32_t variable = added[i].variable;
    list.clear();
    for (; i < added.size() && added[i].variable == variable; ++i)
      list.push_back(added[i].access);
    setAccesses(variable, join(variableAccesses[variable], list));
  }
}

/// A write to a whole matrix that is only a part now counts as a read too.
void CommandAnalysis::joinMatrices(int32_t kept,
                                   ArrayRef<MergedMatrix> merged) {
  const MatrixVariables &to = matrices[kept];
  SmallVector<Access> all;
  for (const MergedMatrix &part : merged) {
    const MatrixVariables &from = matrices[part.matrix];
    bool isPart = from.rowSplits.back() < to.rowSplits.back() ||
                  from.colSplits.back() < to.colSplits.back();
    const MatrixAccesses &of = matrixAccesses[part.matrix];
    for (Access access : withoutAllocation(of.accesses, of.allocate)) {
      if (isPart)
        addKind(access, Access::Read);
      all.push_back(access);
    }
  }
  if (merged.size() > 1)
    std::sort(all.begin(), all.end(), [](const Access &a, const Access &b) {
      return a.command < b.command;
    });
  matrixAccesses[kept].accesses = join(matrixAccesses[kept].accesses, all);
}

void CommandAnalysis::mergeMatrices(int32_t kept,
                                    ArrayRef<MergedMatrix> merged) {
  MatrixAccesses &to = matrixAccesses[kept];
  int32_t before = to.allocate;
  for (const MergedMatrix &part : merged)
    takeOver(kept, part);
  cutAgain(kept, merged);
  auto renumber = [&](AccessList list) {
    if (!list.empty() && list.front().command == before)
      list.front().command = to.allocate;
  };
  for (int32_t i = 0; i < matrices[kept].numVariables(); ++i) {
    int32_t variable = matrices[kept].firstVariable + i;
    renumber(variableAccesses[variable]);
    if (lastWrites[variable] == before)
      lastWrites[variable] = to.allocate;
  }
  AccessList list = to.accesses.copy(updates);
  renumber(list);
  to.accesses = list;
  joinVariables(kept, merged);
  joinMatrices(kept, merged);
  for (const MergedMatrix &part : merged)
    matrices[part.matrix].matrix = Value();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void CommandAnalysis::renumber() {
  std::vector<int32_t> commandNumbers(commands.size(), -1);
  int32_t numCommands = 0;
  for (auto [c, op] : llvm::enumerate(commands))
    if (op) {
      commands[numCommands] = op;
      commandNumbers[c] = numCommands++;
    }
  commands.resize(numCommands);

  // Matrices are ordered by their allocations.
  std::vector<int32_t> order;
  for (int32_t m = 0; m < getNumMatrices(); ++m)
    if (matrices[m].matrix)
      order.push_back(m);
  llvm::sort(order, [&](int32_t a, int32_t b) {
    return matrixAccesses[a].allocate < matrixAccesses[b].allocate;
  });
  std::vector<int32_t> matrixNumbers(matrices.size(), -1);
  for (auto [number, m] : llvm::enumerate(order))
    matrixNumbers[m] = number;
  for (int32_t &matrix : partMatrices)
    if (matrix >= 0)
      matrix = matrixNumbers[matrix];

  // Variables may share their lists, so these are copied.
  size_t total = 0;
  for (int32_t m : order) {
    total += matrixAccesses[m].accesses.size();
    for (int32_t i = 0; i < matrices[m].numVariables(); ++i)
      total += variableAccesses[matrices[m].firstVariable + i].size();
  }
  std::vector<Access> oldAccesses = std::move(accesses);
  accesses = std::vector<Access>(total);
  Access *end = accesses.data();
  auto copy = [&](ArrayRef<Access> list) {
    Access *begin = end;
    for (Access access : list) {
      access.command = commandNumbers[access.command];
      *end++ = access;
    }
    return AccessList(begin, end);
  };
  std::vector<MatrixVariables> newMatrices;
  std::vector<MatrixAccesses> newMatrixAccesses;
  std::vector<AccessList> newVariableAccesses;
  for (int32_t m : order) {
    MatrixVariables &matrix = newMatrices.emplace_back(matrices[m]);
    matrix.firstVariable = newVariableAccesses.size();
    for (int32_t i = 0; i < matrix.numVariables(); ++i)
      newVariableAccesses.push_back(
          copy(variableAccesses[matrices[m].firstVariable + i]));
    MatrixAccesses &of = newMatrixAccesses.emplace_back(matrixAccesses[m]);
    of.accesses = copy(of.accesses);
    of.allocate = commandNumbers[of.allocate];
    if (of.deallocate >= 0)
      of.deallocate = commandNumbers[of.deallocate];
  }
  matrices = std::move(newMatrices);
  matrixAccesses = std::move(newMatrixAccesses);
  lastWrites.resize(newVariableAccesses.size());
  variableAccesses = std::move(newVariableAccesses);
  for (size_t v = 0; v < variableAccesses.size(); ++v)
    setAccesses(v, variableAccesses[v]);
}
