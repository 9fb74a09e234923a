//===- CommandAnalysis.h - Accesses of commands to matrices -----*- C++ -*-===//
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

/// An access of a command to a variable or a matrix.
struct Access {
  enum Kind : uint8_t { Read = 1, Write = 2, ReadWrite = 3 };
  int32_t command;
  Kind kind;
  /// Whether the command only writes zeros.
  bool isZeroing = false;

  bool reads() const { return kind & Read; }
  bool writes() const { return kind & Write; }
};

/// One operand of a command, and how the command accesses it.
struct OperandAccess {
  Value value;
  Access::Kind kind;
};

/// Returns the accesses of `op` to its matrices, in the order of its operands
/// and results. Allocating or freeing storage is not an access, but
/// zero-filling it and accepting values from the caller are writes.
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

/// The variables of a window of a matrix.
struct WindowVariables {
  /// Number of the matrix, number of its first variable, and number of cells in
  /// a row of its grid.
  int32_t matrix, firstVariable, numCols;
  /// The range of cells.
  int32_t firstRow, endRow, firstCol, endCol;

  template <typename Fn> void forEach(Fn fn) const {
    for (int32_t row = firstRow; row < endRow; ++row)
      for (int32_t col = firstCol; col < endCol; ++col)
        fn(firstVariable + row * numCols + col);
  }
};

/// The commands that access, allocate or free one matrix.
struct MatrixAccesses {
  /// Numbers of the commands that begin and end the lifetime of the matrix; -1
  /// for none.
  int32_t allocate = -1;
  int32_t deallocate = -1;
  bool isInput = false;
  bool isOutput = false;
  /// In ascending order of commands. A write to a part of the matrix also
  /// counts as a read.
  ArrayRef<Access> accesses;
};

/// A matrix that has become a part of another one.
struct MergedMatrix {
  int32_t matrix;
  /// First row and column of the part.
  int64_t row, col;
  /// Whether the allocation of the other matrix has moved to the position of
  /// this matrix's allocation.
  bool takesPlace;
};

/// The analysis of one computation. Values are matrices or views. Commands are
/// numbered in their order; ops that create views are not commands.
class CommandAnalysis {
public:
  explicit CommandAnalysis(Operation *computation);
  /// Analyzes a computation that is not in a module. `original` is in the
  /// module and has the same network.
  CommandAnalysis(ComputationOp computation, ComputationOp original);

  ComponentTable &getComponents() { return components; }

  int32_t getNumCommands() const { return commands.size(); }
  Operation *getCommand(int32_t number) const { return commands[number]; }
  int32_t getNumber(Operation *command) const;

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

  // Queries take the variables of a window, which can be used for several
  // queries, or a view or a matrix for short.

  /// First command that accesses a part of a window other than by only writing
  /// zeros; the number of commands if there is none.
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
  /// First command after `command` that writes a part of a window; if there is
  /// none, the command that frees the matrix, or else the number of commands.
  int32_t getDataInvalidatedCommand(int32_t command,
                                    const WindowVariables &window) const;

  // Passes keep the analysis valid by reporting their changes.

  /// Reports that `alloc`, which does not zero-fill, has replaced the
  /// allocation of a matrix.
  void setUndefined(int32_t matrix, AllocMatrixUndefinedOp alloc);
  /// Reports that a command was erased. Its number is not used until
  /// `renumber`.
  void eraseCommand(int32_t number) { commands[number] = nullptr; }
  /// Reports that other matrices have become parts of `kept`, whose views are
  /// in normal form, and that their allocations were erased. Report erased
  /// commands with `eraseCommand` before.
  void mergeMatrices(int32_t kept, ArrayRef<MergedMatrix> merged);
  /// Renumbers commands, matrices and variables like a new analysis.
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
  /// The storage of the lists above.
  std::vector<int64_t> splits;
  std::vector<Access> accesses;
  /// The storage of lists that updates have created.
  llvm::BumpPtrAllocator updates;
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_COMMANDANALYSIS_H
