//===- CheckMatrices.cpp - Check accesses to matrices ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckComputation.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Whether a command ends the lifetime of its operand matrix.
static bool frees(Operation *op) {
  return isa<DeallocMatrixOp, MoveMatrixOp, CompressMatrixOp>(op);
}

static LogicalResult checkFreedOnce(const CommandAnalysis &analysis,
                                    Value matrix) {
  SmallVector<int32_t> freed;
  for (Operation *user : matrix.getUsers())
    if (frees(user))
      freed.push_back(analysis.getNumber(user));
  if (freed.size() < 2)
    return success();
  llvm::sort(freed);
  InFlightDiagnostic diag =
      analysis.getCommand(freed[1])->emitOpError("matrix is freed already");
  diag.attachNote(analysis.getCommand(freed[0])->getLoc()) << "freed here";
  return diag;
}

/// A compression reads its operand and frees it.
static LogicalResult checkUseAfterFree(const CommandAnalysis &analysis,
                                       const MatrixAccesses &matrix) {
  if (matrix.deallocate < 0)
    return success();
  for (const Access &access : matrix.accesses) {
    if (access.command <= matrix.deallocate)
      continue;
    InFlightDiagnostic diag =
        analysis.getCommand(access.command)
            ->emitOpError("accesses a matrix that is freed");
    diag.attachNote(analysis.getCommand(matrix.deallocate)->getLoc())
        << "freed here";
    return diag;
  }
  return success();
}

/// Whether a matrix has other accesses than its allocation and fills.
static bool isUsed(const CommandAnalysis &analysis,
                   const MatrixAccesses &matrix) {
  return llvm::any_of(matrix.accesses, [&](const Access &access) {
    return access.command != matrix.allocate &&
           !isa<SetConstOp>(analysis.getCommand(access.command));
  });
}

static LogicalResult checkUsed(const CommandAnalysis &analysis,
                               const MatrixAccesses &matrix) {
  Operation *allocation = analysis.getCommand(matrix.allocate);
  if (isUsed(analysis, matrix))
    return success();
  if (!matrix.isInput)
    return allocation->emitOpError("matrix is not used");
  allocation->emitWarning("input is not used");
  return success();
}

LogicalResult mlir::nnet3::checkMatrices(const CommandAnalysis &analysis) {
  bool fails = false;
  for (int32_t m = 0; m < analysis.getNumMatrices(); ++m) {
    const MatrixAccesses &matrix = analysis.getMatrixAccesses(m);
    if (failed(checkFreedOnce(analysis, analysis.getMatrix(m).matrix)) ||
        failed(checkUseAfterFree(analysis, matrix)) ||
        failed(checkUsed(analysis, matrix)))
      fails = true;
  }
  return failure(fails);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Prints the cells of a variable in its matrix.
static std::string print(const CommandAnalysis &analysis, int32_t variable) {
  std::string text;
  llvm::raw_string_ostream os(text);
  analysis.printVariable(os, variable);
  return text;
}

/// Rows that nnet3-extend-matrices adds for some columns have no access in the
/// others: that pass requires that 80% of the rows existed before.
static bool mayBeUnused(const MatrixVariables &matrix, int32_t cell) {
  int64_t rows = matrix.rowSplits.back();
  int64_t firstRow = matrix.rowSplits[cell / matrix.numColCells()];
  return matrix.numColCells() > 1 && 5 * firstRow >= 4 * rows;
}

static LogicalResult checkFirstAccess(const CommandAnalysis &analysis,
                                      const MatrixVariables &matrix,
                                      int32_t variable) {
  Access first = analysis.getVariableAccesses(variable).front();
  Operation *op = analysis.getCommand(first.command);
  if (!first.reads() || isa<CompressMatrixOp>(op))
    return success();
  InFlightDiagnostic diag = op->emitOpError("reads ")
                            << print(analysis, variable)
                            << ", which is undefined";
  diag.attachNote(matrix.matrix.getLoc()) << "matrix is defined here";
  return diag;
}

/// Stops at the first error of a matrix.
static LogicalResult checkVariables(const CommandAnalysis &analysis,
                                    const MatrixVariables &matrix,
                                    bool checkUnused) {
  for (int32_t cell = 0; cell < matrix.numVariables(); ++cell) {
    int32_t variable = matrix.firstVariable + cell;
    if (!analysis.getVariableAccesses(variable).empty()) {
      if (failed(checkFirstAccess(analysis, matrix, variable)))
        return failure();
    } else if (checkUnused && !mayBeUnused(matrix, cell)) {
      return matrix.matrix.getDefiningOp()->emitOpError("no command accesses ")
             << print(analysis, variable);
    }
  }
  return success();
}

LogicalResult mlir::nnet3::checkUndefined(const CommandAnalysis &analysis,
                                          bool checkUnused) {
  bool fails = false;
  for (int32_t m = 0; m < analysis.getNumMatrices(); ++m)
    fails |=
        failed(checkVariables(analysis, analysis.getMatrix(m), checkUnused));
  return failure(fails);
}

/// Returns the first write after the first access that only reads; null if
/// there is none.
static const Access *findRewrite(ArrayRef<Access> accesses,
                                 const Access *&read) {
  read = llvm::find_if(accesses, [](Access a) { return !a.writes(); });
  const Access *write =
      std::find_if(read, accesses.end(), [](Access a) { return a.writes(); });
  return write == accesses.end() ? nullptr : write;
}

LogicalResult mlir::nnet3::checkRewrite(const CommandAnalysis &analysis) {
  bool fails = false;
  for (int32_t v = 0; v < analysis.getNumVariables(); ++v) {
    const Access *read;
    const Access *write = findRewrite(analysis.getVariableAccesses(v), read);
    if (!write)
      continue;
    fails = true;
    InFlightDiagnostic diag =
        analysis.getCommand(write->command)->emitOpError("writes ")
        << print(analysis, v) << ", which has been read";
    diag.attachNote(analysis.getCommand(read->command)->getLoc())
        << "read here";
  }
  return failure(fails);
}
