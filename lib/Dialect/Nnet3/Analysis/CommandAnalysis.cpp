//===- CommandAnalysis.cpp - What commands read and write -----------------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

using namespace mlir;
using namespace mlir::nnet3;

CommandAnalysis::CommandAnalysis(Operation *op)
    : computation(cast<ComputationOp>(op)), components(computation) {
  numberCommands();
  findVariables();
  for (int32_t number = 0; number < getNumCommands(); ++number)
    recordAccesses(number);
}

//===----------------------------------------------------------------------===//
// Commands, matrices and variables
//===----------------------------------------------------------------------===//

/// Also gives every matrix a number: in the order of their definitions.
void CommandAnalysis::numberCommands() {
  for (Operation &op : computation.getBody().front()) {
    if (isa<SubMatrixOp>(op))
      continue;
    numbers[&op] = commands.size();
    commands.push_back(&op);
    for (Value result : op.getResults()) {
      if (!isa<MemRefType>(result.getType()))
        continue;
      matrixNumbers[result] = matrices.size();
      matrices.emplace_back().matrix = result;
    }
  }
}

static void sortUnique(SmallVectorImpl<int64_t> &list) {
  llvm::sort(list);
  list.erase(llvm::unique(list), list.end());
}

void CommandAnalysis::findVariables() {
  for (MatrixVariables &matrix : matrices) {
    auto type = cast<MemRefType>(matrix.matrix.getType());
    matrix.rowSplits = {0, type.getDimSize(0)};
    matrix.colSplits = {0, type.getDimSize(1)};
  }
  for (SubMatrixOp view : computation.getBody().getOps<SubMatrixOp>()) {
    MatrixWindow window = MatrixWindow::get(view);
    MatrixVariables &matrix = matrices[getMatrixNumber(window.matrix)];
    matrix.rowSplits.append({window.row, window.row + window.rows});
    matrix.colSplits.append({window.col, window.col + window.cols});
  }
  int32_t numVariables = 0;
  for (MatrixVariables &matrix : matrices) {
    sortUnique(matrix.rowSplits);
    sortUnique(matrix.colSplits);
    matrix.firstVariable = numVariables;
    numVariables += matrix.numVariables();
  }
  matrixAccesses.resize(matrices.size());
  variableAccesses.resize(numVariables);
}

/// The cells between two boundaries.
static std::pair<int32_t, int32_t> cellsOf(ArrayRef<int64_t> splits,
                                           int64_t begin, int64_t size) {
  return {int32_t(llvm::lower_bound(splits, begin) - splits.begin()),
          int32_t(llvm::lower_bound(splits, begin + size) - splits.begin())};
}

void CommandAnalysis::forEachVariable(const MatrixWindow &window,
                                      function_ref<void(int32_t)> fn) const {
  const MatrixVariables &matrix = matrices[getMatrixNumber(window.matrix)];
  auto [firstRow, endRow] = cellsOf(matrix.rowSplits, window.row, window.rows);
  auto [firstCol, endCol] = cellsOf(matrix.colSplits, window.col, window.cols);
  for (int32_t row = firstRow; row < endRow; ++row)
    for (int32_t col = firstCol; col < endCol; ++col)
      fn(matrix.firstVariable + row * matrix.numColCells() + col);
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
// Accesses
//===----------------------------------------------------------------------===//

/// Whether a command does nothing but set zeros.
static bool isZeroing(Operation *op) {
  if (auto set = dyn_cast<SetConstOp>(op))
    return set.getValue().isZero();
  return isa<AllocMatrixZeroedOp>(op);
}

/// Adds an access, or extends the one that the same command has already.
template <typename List> static void addAccess(List &list, Access access) {
  if (list.empty() || list.back().command != access.command)
    list.push_back(access);
  else
    list.back().kind = Access::Kind(list.back().kind | access.kind);
}

void CommandAnalysis::recordAccess(int32_t number,
                                   const OperandAccess &access) {
  MatrixWindow window = MatrixWindow::get(access.value);
  bool zeroes = isZeroing(commands[number]);
  forEachVariable(window, [&](int32_t variable) {
    addAccess(variableAccesses[variable], {number, access.kind, zeroes});
  });
  Access::Kind kind = access.kind;
  if (!window.isWhole())
    kind = Access::Kind(kind | Access::Read);
  addAccess(matrixAccesses[getMatrixNumber(window.matrix)].accesses,
            {number, kind, zeroes});
}

void CommandAnalysis::recordAccesses(int32_t number) {
  Operation *op = commands[number];
  for (const OperandAccess &access : getOperandAccesses(op, components))
    recordAccess(number, access);
  for (Value result : op->getResults())
    if (isa<MemRefType>(result.getType())) {
      MatrixAccesses &matrix = matrixAccesses[getMatrixNumber(result)];
      matrix.allocate = number;
      matrix.isInput = isa<AcceptInputOp>(op);
    }
  auto of = [&](Value value) -> MatrixAccesses & {
    return matrixAccesses[getMatrixNumber(MatrixWindow::get(value).matrix)];
  };
  if (auto dealloc = dyn_cast<DeallocMatrixOp>(op))
    of(dealloc.getMatrix()).deallocate = number;
  else if (auto move = dyn_cast<MoveMatrixOp>(op))
    of(move.getSource()).deallocate = number;
  else if (auto compress = dyn_cast<CompressMatrixOp>(op))
    of(compress.getMatrix()).deallocate = number;
  else if (auto provide = dyn_cast<ProvideOutputOp>(op))
    of(provide.getMatrix()).isOutput = true;
}

bool CommandAnalysis::hasSideEffects(int32_t number) const {
  Operation *op = commands[number];
  if (auto backprop = dyn_cast<BackpropOp>(op))
    return backprop.getUpdate();
  return isa<StoreStatsOp>(op);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

int32_t CommandAnalysis::getFirstAccess(Value value) const {
  int32_t first = getNumCommands();
  forEachVariable(MatrixWindow::get(value), [&](int32_t variable) {
    ArrayRef<Access> accesses = getVariableAccesses(variable);
    if (!accesses.empty())
      first = std::min(first, accesses.front().command);
  });
  return first;
}

int32_t CommandAnalysis::getFirstNontrivialAccess(Value value) const {
  int32_t first = getNumCommands();
  forEachVariable(MatrixWindow::get(value), [&](int32_t variable) {
    for (const Access &access : getVariableAccesses(variable))
      if (!access.isZeroing) {
        first = std::min(first, access.command);
        break;
      }
  });
  return first;
}

int32_t CommandAnalysis::getLastAccess(Value value) const {
  int32_t last = -1;
  forEachVariable(MatrixWindow::get(value), [&](int32_t variable) {
    ArrayRef<Access> accesses = getVariableAccesses(variable);
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
  forEachVariable(window, [&](int32_t variable) {
    for (const Access &access : llvm::reverse(getVariableAccesses(variable)))
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
  forEachVariable(window, [&](int32_t variable) {
    ArrayRef<Access> accesses = getVariableAccesses(variable);
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
