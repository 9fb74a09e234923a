//===- CommandAnalysis.cpp - What commands read and write -----------------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "AccessCollector.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

CommandAnalysis::CommandAnalysis(Operation *op)
    : computation(cast<ComputationOp>(op)), components(computation) {
  AccessCollector collector(components);
  collector.collect(computation.getBody().front());
  findVariables(collector);
  sortAccesses(collector);
  commands = std::move(collector.commands);
  partNumbers = std::move(collector.partNumbers);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Boundaries of one matrix, one way, in the order they are found.
static ArrayRef<int64_t> sortUnique(MutableArrayRef<int64_t> list) {
  // llvm::sort would take the slow way of the C library.
  std::sort(list.begin(), list.end());
  return ArrayRef<int64_t>(list.begin(), llvm::unique(list));
}

void CommandAnalysis::findVariables(const AccessCollector &collector) {
  matrixAccesses = collector.matrixAccesses;
  matrices.resize(collector.matrices.size());
  partMatrices.reserve(collector.parts.size());
  std::vector<int32_t> numParts(matrices.size());
  for (const MatrixPart &part : collector.parts) {
    partMatrices.push_back(part.matrix);
    ++numParts[part.matrix];
  }
  // The two boundaries of each part, rows of a matrix before its columns.
  splits.resize(4 * collector.parts.size());
  std::vector<int64_t *> next(matrices.size());
  int64_t *end = splits.data();
  for (auto [at, count] : llvm::zip_equal(next, numParts)) {
    at = end;
    end += 4 * count;
  }
  for (const MatrixPart &part : collector.parts) {
    int64_t *rows = next[part.matrix];
    int64_t *cols = rows + 2 * numParts[part.matrix];
    rows[0] = part.row;
    rows[1] = part.row + part.rows;
    cols[0] = part.col;
    cols[1] = part.col + part.cols;
    next[part.matrix] += 2;
  }
  int32_t numVariables = 0;
  for (auto [m, matrix] : llvm::enumerate(matrices)) {
    size_t count = 2 * numParts[m];
    matrix.matrix = collector.matrices[m];
    matrix.firstVariable = numVariables;
    matrix.rowSplits = sortUnique({next[m] - count, count});
    matrix.colSplits = sortUnique({next[m], count});
    numVariables += matrix.numVariables();
  }
  variableAccesses.resize(numVariables);
}

namespace {
/// The variables that a part is a union of.
struct Cells {
  int32_t firstVariable, numCols;
  int32_t firstRow, endRow, firstCol, endCol;

  Cells(const MatrixVariables &matrix, int64_t row, int64_t rows, int64_t col,
        int64_t cols)
      : firstVariable(matrix.firstVariable), numCols(matrix.numColCells()),
        firstRow(find(matrix.rowSplits, row)),
        endRow(find(matrix.rowSplits, row + rows)),
        firstCol(find(matrix.colSplits, col)),
        endCol(find(matrix.colSplits, col + cols)) {}

  template <typename Fn> void forEach(Fn fn) const {
    for (int32_t row = firstRow; row < endRow; ++row)
      for (int32_t col = firstCol; col < endCol; ++col)
        fn(firstVariable + row * numCols + col);
  }

private:
  static int32_t find(ArrayRef<int64_t> splits, int64_t at) {
    if (at == splits.front())
      return 0;
    if (at == splits.back())
      return splits.size() - 1;
    return llvm::lower_bound(splits, at) - splits.begin();
  }
};

/// Lists of accesses, one behind the other.
class AccessLists {
public:
  explicit AccessLists(size_t numLists) : ends(numLists + 1) {}

  /// First the room that each list needs is counted, ...
  void count(int32_t list) { ++ends[list + 1]; }
  /// ... then the lists get their place, from `begin` on, ...
  Access *place(Access *begin) {
    this->begin = begin;
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    starts = ends;
    return begin + ends.back();
  }
  /// ... and are filled. A command that is there already is extended.
  void add(int32_t list, const Access &access) {
    Access *end = begin + ends[list];
    if (ends[list] > starts[list] && end[-1].command == access.command) {
      end[-1].kind = Access::Kind(end[-1].kind | access.kind);
      return;
    }
    *end = access;
    ++ends[list];
  }
  ArrayRef<Access> get(int32_t list) const {
    return {begin + starts[list], begin + ends[list]};
  }

private:
  Access *begin = nullptr;
  std::vector<int32_t> starts, ends;
};
} // namespace

void CommandAnalysis::sortAccesses(const AccessCollector &collector) {
  std::vector<Cells> cells;
  cells.reserve(collector.parts.size());
  for (const MatrixPart &part : collector.parts)
    cells.emplace_back(matrices[part.matrix], part.row, part.rows, part.col,
                       part.cols);
  AccessLists ofVariables(variableAccesses.size()), ofMatrices(matrices.size());
  size_t total = collector.accesses.size();
  for (const PartAccess &access : collector.accesses) {
    ofMatrices.count(collector.parts[access.part].matrix);
    cells[access.part].forEach([&](int32_t variable) {
      ofVariables.count(variable);
      ++total;
    });
  }
  accesses.resize(total);
  ofMatrices.place(ofVariables.place(accesses.data()));
  for (const PartAccess &partAccess : collector.accesses) {
    Access access = partAccess.access;
    cells[partAccess.part].forEach(
        [&](int32_t variable) { ofVariables.add(variable, access); });
    const MatrixPart &part = collector.parts[partAccess.part];
    if (part.rows < matrices[part.matrix].rowSplits.back() ||
        part.cols < matrices[part.matrix].colSplits.back())
      access.kind = Access::Kind(access.kind | Access::Read);
    ofMatrices.add(part.matrix, access);
  }
  for (auto [v, list] : llvm::enumerate(variableAccesses))
    list = ofVariables.get(v);
  for (auto [m, matrix] : llvm::enumerate(matrixAccesses))
    matrix.accesses = ofMatrices.get(m);
}

void CommandAnalysis::forEachVariable(const MatrixWindow &window,
                                      function_ref<void(int32_t)> fn) const {
  Cells(matrices[getMatrixNumber(window.matrix)], window.row, window.rows,
        window.col, window.cols)
      .forEach(fn);
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

bool CommandAnalysis::hasSideEffects(int32_t number) const {
  Operation *op = commands[number];
  if (auto backprop = dyn_cast<BackpropOp>(op))
    return backprop.getUpdate();
  return isa<StoreStatsOp>(op);
}

/// Calls `fn` with the accesses of each variable of a window.
template <typename Fn>
void CommandAnalysis::forEachList(const MatrixWindow &window, Fn fn) const {
  Cells(matrices[getMatrixNumber(window.matrix)], window.row, window.rows,
        window.col, window.cols)
      .forEach([&](int32_t variable) { fn(variableAccesses[variable]); });
}

int32_t CommandAnalysis::getFirstAccess(Value value) const {
  int32_t first = getNumCommands();
  forEachList(MatrixWindow::get(value), [&](ArrayRef<Access> accesses) {
    if (!accesses.empty())
      first = std::min(first, accesses.front().command);
  });
  return first;
}

int32_t CommandAnalysis::getFirstNontrivialAccess(Value value) const {
  int32_t first = getNumCommands();
  forEachList(MatrixWindow::get(value), [&](ArrayRef<Access> accesses) {
    for (const Access &access : accesses)
      if (!access.isZeroing) {
        first = std::min(first, access.command);
        break;
      }
  });
  return first;
}

int32_t CommandAnalysis::getLastAccess(Value value) const {
  int32_t last = -1;
  forEachList(MatrixWindow::get(value), [&](ArrayRef<Access> accesses) {
    if (!accesses.empty())
      last = std::max(last, accesses.back().command);
  });
  return last;
}

int32_t CommandAnalysis::getLastWriteAccess(Value value) const {
  MatrixWindow window = MatrixWindow::get(value);
  if (matrixAccesses[getMatrixNumber(window.matrix)].isOutput)
    return getNumCommands();
  int32_t last = -1;
  forEachList(window, [&](ArrayRef<Access> accesses) {
    for (const Access &access : llvm::reverse(accesses))
      if (access.writes()) {
        last = std::max(last, access.command);
        break;
      }
  });
  return last;
}

int32_t CommandAnalysis::getDataInvalidatedCommand(int32_t command,
                                                   Value value) const {
  MatrixWindow window = MatrixWindow::get(value);
  int32_t first = getNumCommands();
  forEachList(window, [&](ArrayRef<Access> accesses) {
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
  int32_t deallocate =
      matrixAccesses[getMatrixNumber(window.matrix)].deallocate;
  return deallocate >= 0 ? deallocate : first;
}
