//===- CommandAnalysis.h - What commands read and write ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 1. The boundaries of all views of a matrix cut it into a
// grid of cells, the variables; every view is a union of them. The analysis
// lists, for each variable and each matrix, the commands that access it.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_COMMANDANALYSIS_H
#define NNET3_DIALECT_NNET3_ANALYSIS_COMMANDANALYSIS_H

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

#include "llvm/Support/Allocator.h"

namespace mlir::nnet3 {

class AccessCollector;

/// How a command accesses something.
struct Access {
  enum Kind : uint8_t { Read = 1, Write = 2, ReadWrite = 3 };
  int32_t command;
  Kind kind;
  /// The command only sets zeros.
  bool isZeroing = false;

  bool reads() const { return kind & Read; }
  bool writes() const { return kind & Write; }
};

/// One operand of a command, and what the command does to it.
struct OperandAccess {
  Value value;
  Access::Kind kind;
};

/// What `op` does to its matrices, in the order of its operands, results last.
/// The storage that a command allocates or frees is not an access, but zeros
/// and values from the caller are written.
SmallVector<OperandAccess, 4> getOperandAccesses(Operation *op,
                                                 ComponentTable &components);

/// Cells of one matrix, numbered row by row from `firstVariable`.
struct MatrixVariables {
  Value matrix;
  int32_t firstVariable = 0;
  /// Boundaries, ascending, with 0 and the size.
  ArrayRef<int64_t> rowSplits, colSplits;

  int32_t numRowCells() const { return rowSplits.size() - 1; }
  int32_t numColCells() const { return colSplits.size() - 1; }
  int32_t numVariables() const { return numRowCells() * numColCells(); }
};

/// The variables that a window of a matrix is made of.
struct WindowVariables {
  /// Number of the matrix, of its first variable and of its cells in a row.
  int32_t matrix, firstVariable, numCols;
  /// The cells.
  int32_t firstRow, endRow, firstCol, endCol;

  template <typename Fn> void forEach(Fn fn) const {
    for (int32_t row = firstRow; row < endRow; ++row)
      for (int32_t col = firstCol; col < endCol; ++col)
        fn(firstVariable + row * numCols + col);
  }
};

/// The commands that have to do with one matrix.
struct MatrixAccesses {
  /// Number of the command that begins its life, and of the one that ends it;
  /// -1 for none.
  int32_t allocate = -1;
  int32_t deallocate = -1;
  bool isInput = false;
  bool isOutput = false;
  /// Ascending; a write to a part of the matrix counts as a read too.
  ArrayRef<Access> accesses;
};

/// A matrix that has become a part of another one.
struct MergedMatrix {
  int32_t matrix;
  /// Where the part begins.
  int64_t row, col;
  /// The other matrix is allocated where this one was.
  bool takesPlace;
};

/// The analysis of one computation. Values are views or matrices; commands are
/// numbered in their order, views are not commands.
class CommandAnalysis {
public:
  explicit CommandAnalysis(Operation *computation);
  /// Of a computation that is not in a module: `original` is there and has the
  /// same network.
  CommandAnalysis(ComputationOp computation, ComputationOp original);

  ComponentTable &getComponents() { return components; }

  int32_t getNumCommands() const { return commands.size(); }
  Operation *getCommand(int32_t number) const { return commands[number]; }
  int32_t getNumber(Operation *command) const;
  /// Whether the command does something besides accessing its matrices.
  bool hasSideEffects(int32_t number) const;

  int32_t getNumMatrices() const { return matrices.size(); }
  const MatrixVariables &getMatrix(int32_t number) const {
    return matrices[number];
  }
  int32_t getMatrixNumber(Value matrix) const {
    return partMatrices[partNumbers.lookup(matrix)];
  }
  const MatrixAccesses &getMatrixAccesses(int32_t matrix) const {
    return matrixAccesses[matrix];
  }

  int32_t getNumVariables() const { return variableAccesses.size(); }
  ArrayRef<Access> getVariableAccesses(int32_t variable) const {
    return variableAccesses[variable];
  }
  /// The variables of a window of a matrix.
  WindowVariables getVariables(int32_t matrix, int64_t row, int64_t rows,
                               int64_t col, int64_t cols) const;
  WindowVariables getVariables(const MatrixWindow &window) const {
    return getVariables(getMatrixNumber(window.matrix), window.row, window.rows,
                        window.col, window.cols);
  }
  WindowVariables getVariables(Value value) const {
    return getVariables(MatrixWindow::get(value));
  }
  /// Prints a variable like `m3(0:1, 4:7)`, `:` for a full extent; the matrix
  /// is called by its number.
  void printVariable(raw_ostream &os, int32_t variable) const;

  /// Calls `fn` with each variable of a window.
  template <typename Fn>
  void forEachVariable(const MatrixWindow &window, Fn fn) const {
    getVariables(window).forEach(fn);
  }

  // The queries take the variables of a window, so that these are found once
  // for several of them, or for short a view or a matrix.

  /// First command that accesses part of a window; the number of commands if
  /// there is none. `Nontrivial`: other than setting it to zero.
  int32_t getFirstAccess(const WindowVariables &window) const;
  int32_t getFirstNontrivialAccess(const WindowVariables &window) const;
  int32_t getFirstNontrivialAccess(Value value) const {
    return getFirstNontrivialAccess(getVariables(value));
  }
  /// Last command that accesses part of a window; -1 if there is none.
  int32_t getLastAccess(const WindowVariables &window) const;
  int32_t getLastAccess(Value value) const {
    return getLastAccess(getVariables(value));
  }
  /// Last command that writes part of a window; -1 if there is none, the number
  /// of commands if the matrix is an output.
  int32_t getLastWriteAccess(const WindowVariables &window) const;
  /// First command behind `command` that writes part of a window, else the one
  /// that frees its matrix, else the number of commands.
  int32_t getDataInvalidatedCommand(int32_t command,
                                    const WindowVariables &window) const;

  // Passes that say what they change leave the analysis valid.

  /// `alloc` has replaced the allocation of a matrix, and sets no zeros.
  void setUndefined(int32_t matrix, AllocMatrixUndefinedOp alloc);
  /// A command is gone. Its number stays free until `renumber`.
  void eraseCommand(int32_t number) { commands[number] = nullptr; }
  /// Other matrices have become parts of `kept`, whose views are in normal
  /// form. Their allocations are gone; so may be the commands between them, of
  /// which `eraseCommand` tells before.
  void mergeMatrices(int32_t kept, ArrayRef<MergedMatrix> merged);
  /// Numbers commands, matrices and variables as a new analysis would.
  void renumber();

private:
  using AccessList = MutableArrayRef<Access>;

  void setAccesses(int32_t variable, AccessList list);
  void findVariables(const AccessCollector &collector);
  void sortAccesses(const AccessCollector &collector);
  void takeOver(int32_t kept, const MergedMatrix &merged);
  void cutAgain(int32_t kept, ArrayRef<MergedMatrix> merged);
  AccessList join(ArrayRef<Access> a, ArrayRef<Access> b);
  template <typename Fn>
  void forEachMerged(int32_t kept, const MergedMatrix &merged, Fn fn) const;
  void joinVariables(int32_t kept, ArrayRef<MergedMatrix> merged);
  void joinMatrices(int32_t kept, ArrayRef<MergedMatrix> merged);

  ComputationOp computation;
  ComponentTable components;
  std::vector<Operation *> commands;
  std::vector<MatrixVariables> matrices;
  /// The number of the matrix of each matrix or view.
  std::vector<int32_t> partMatrices;
  DenseMap<Value, int32_t> partNumbers;
  std::vector<MatrixAccesses> matrixAccesses;
  std::vector<AccessList> variableAccesses;
  /// The last command that writes each variable; -1 for none.
  std::vector<int32_t> lastWrites;
  /// What the lists above are parts of.
  std::vector<int64_t> splits;
  std::vector<Access> accesses;
  /// The lists that were made since.
  llvm::BumpPtrAllocator updates;
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_COMMANDANALYSIS_H
