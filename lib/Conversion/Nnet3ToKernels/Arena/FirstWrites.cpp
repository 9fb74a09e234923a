//===- FirstWrites.cpp - Accumulations that may overwrite -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FirstWrites.h"
#include "WrittenParts.h"

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Whether a variable is read or added to before it is written.
static bool needsZero(const CommandAnalysis &analysis, int32_t variable,
                      bool isOutput, const DenseSet<Operation *> &writers) {
  ArrayRef<Access> accesses = analysis.getVariableAccesses(variable);
  auto first = llvm::find_if_not(
      accesses, [](const Access &access) { return access.isZeroing; });
  if (first == accesses.end())
    return isOutput;
  // A writer overwrites this variable and reads other matrices only.
  return first->reads() &&
         !(first->writes() &&
           writers.contains(analysis.getCommand(first->command)));
}

/// Returns the rows in which some variable must be zero.
static SmallVector<FirstWrites::Rows>
findZeros(const CommandAnalysis &analysis, int32_t matrix,
          const DenseSet<Operation *> &writers) {
  const MatrixVariables &variables = analysis.getMatrix(matrix);
  const bool isOutput = analysis.getMatrixAccesses(matrix).isOutput;
  const int32_t columns = variables.numColCells();
  SmallVector<FirstWrites::Rows> zeros;
  for (int32_t cell = 0; cell < variables.numRowCells(); ++cell) {
    const int32_t firstVariable = variables.firstVariable + cell * columns;
    if (llvm::none_of(llvm::seq(columns), [&](int32_t i) {
          return needsZero(analysis, firstVariable + i, isOutput, writers);
        }))
      continue;
    const int64_t begin = variables.rowSplits[cell],
                  end = variables.rowSplits[cell + 1];
    if (!zeros.empty() && zeros.back().first + zeros.back().count == begin)
      zeros.back().count += end - begin;
    else
      zeros.push_back({begin, end - begin});
  }
  if (zeros.size() > kMostZeroParts)
    zeros = {{0, variables.rowSplits.back()}};
  return zeros;
}

/// Whether the matrix of the input derivative is allocated here, and thus holds
/// no earlier values. A command in place reads it.
static bool writesNewMatrix(BackpropOp op) {
  if (!op.getInputDeriv())
    return false;
  const Value matrix = MatrixWindow::get(op.getInputDeriv()).matrix;
  return isa_and_nonnull<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(
             matrix.getDefiningOp()) &&
         MatrixWindow::get(op.getOutputDeriv()).matrix != matrix;
}

FirstWrites::FirstWrites(ComputationOp computation,
                         function_ref<bool(BackpropOp)> mayWrite) {
  if (computation.getBody().getOps<AllocMatrixZeroedOp>().empty())
    return;
  const CommandAnalysis analysis(computation);
  for (int32_t number = 0; number < analysis.getNumCommands(); ++number) {
    auto op = dyn_cast<BackpropOp>(analysis.getCommand(number));
    if (op && writesNewMatrix(op) && mayWrite(op) &&
        analysis.getFirstNontrivialAccess(op.getInputDeriv()) == number)
      writers.insert(op);
  }
  for (int32_t matrix = 0; matrix < analysis.getNumMatrices(); ++matrix) {
    Operation *alloc = analysis.getMatrix(matrix).matrix.getDefiningOp();
    if (isa_and_nonnull<AllocMatrixZeroedOp>(alloc))
      zeros[alloc] = findZeros(analysis, matrix, writers);
  }
}
