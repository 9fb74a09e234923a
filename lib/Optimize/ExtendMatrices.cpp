//===- ExtendMatrices.cpp - Extend matrices to enable merging -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.5. The typical case is the first block of a splice.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Optimize/DebugInfo.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3EXTENDMATRICES
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Changes the number of rows of an allocated `matrix` to `rows`. Commands keep
/// the rows that they access.
static void extend(Value matrix, int64_t rows) {
  Operation *old = matrix.getDefiningOp();
  auto type = cast<MemRefType>(matrix.getType());
  OpBuilder builder(old);
  Operation *extended = builder.clone(*old);
  Value result = extended->getResult(0);
  result.setType(
      MemRefType::get({rows, type.getDimSize(1)}, type.getElementType()));
  extendDebugInfo(extended, rows);
  Value whole;
  for (OpOperand &use : llvm::make_early_inc_range(matrix.getUses())) {
    Operation *user = use.getOwner();
    if (isa<DeallocMatrixOp>(user)) {
      use.set(result);
      continue;
    }
    if (auto view = dyn_cast<SubMatrixOp>(user)) {
      MatrixWindow window = MatrixWindow::get(view);
      window.matrix = result;
      builder.setInsertionPoint(view);
      view.getResult().replaceAllUsesWith(
          createView(builder, view.getLoc(), window));
      view.erase();
      continue;
    }
    if (!whole) {
      builder.setInsertionPointAfter(extended);
      whole =
          sliceRows(builder, extended->getLoc(), result, 0, type.getDimSize(0));
    }
    use.set(whole);
  }
  old->erase();
}

namespace {
struct ExtendMatrices
    : public nnet3::impl::Nnet3ExtendMatricesBase<ExtendMatrices> {
  void runOnCommands() override {
    one = Builder(&getContext()).getF32FloatAttr(1);
    llvm::MapVector<Value, int64_t> newRows;
    SmallVector<MatrixCopyOp> copies;
    for (Operation &op : getOperation().getBody().front())
      if (auto copy = dyn_cast<MatrixCopyOp>(op))
        if (std::optional<int64_t> rows = getExtendedRows(copy)) {
          int64_t &known = newRows[MatrixWindow::get(copy.getDest()).matrix];
          known = std::max(known, *rows);
          copies.push_back(copy);
        }
    if (copies.empty())
      return markAllAnalysesPreserved();
    normalizeViews(getOperation());
    for (auto [matrix, rows] : newRows) {
      if (rows > cast<MemRefType>(matrix.getType()).getDimSize(0))
        ++numExtended;
      extend(matrix, rows);
    }
    for (MatrixCopyOp copy : copies)
      copyAll(copy);
    normalizeViews(getOperation());
  }

private:
  static bool isInput(Value matrix) {
    return isa<AcceptInputOp>(matrix.getDefiningOp());
  }
  static bool isOutput(Value matrix) {
    return llvm::any_of(matrix.getUsers(), llvm::IsaPred<ProvideOutputOp>);
  }

  /// Returns the number of rows that the destination of `copy` needs to hold
  /// all of the source; none if extending it does not pay.
  std::optional<int64_t> getExtendedRows(MatrixCopyOp copy) {
    MatrixWindow source = MatrixWindow::get(copy.getSource());
    if (copy.getAlphaAttr() != one || source.rows == source.matrixRows())
      return std::nullopt;
    MatrixWindow dest = MatrixWindow::get(copy.getDest());
    // An input can only be merged with a whole matrix.
    if ((isInput(source.matrix) && !dest.isWhole()) || isInput(dest.matrix) ||
        source.matrix == dest.matrix)
      return std::nullopt;
    if (source.row != 0 || source.cols != source.matrixCols() ||
        5 * source.rows < 4 * source.matrixRows() ||
        dest.row + dest.rows != dest.matrixRows() ||
        !isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(
            dest.matrix.getDefiningOp()) ||
        isOutput(dest.matrix))
      return std::nullopt;
    return std::max(dest.matrixRows(), dest.row + source.matrixRows());
  }

  static void copyAll(MatrixCopyOp copy) {
    MatrixWindow source = MatrixWindow::get(copy.getSource());
    MatrixWindow dest = MatrixWindow::get(copy.getDest());
    dest.rows = source.matrixRows();
    OpBuilder builder(copy);
    copy.getDestMutable().set(createView(builder, copy.getLoc(), dest));
    copy.getSourceMutable().set(source.matrix);
  }

  FloatAttr one;
  PassCount numExtended{"matrices extended"};
};
} // namespace
