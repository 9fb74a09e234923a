//===- CheckCopies.cpp - Check commands that copy and add -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckComputation.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace mlir::nnet3;

static LogicalResult checkApart(Operation *op, Value source, Value dest) {
  if (MatrixWindow::get(source).overlaps(MatrixWindow::get(dest)))
    return op->emitOpError(
        "expects a source and a destination that do not overlap");
  return success();
}

/// A copy of a matrix to itself must scale it.
static LogicalResult checkMatrixCopy(MatrixCopyOp op) {
  if (MatrixWindow::get(op.getSource()) == MatrixWindow::get(op.getDest())) {
    if (op.getAlpha().isExactlyValue(1.0))
      return op.emitOpError("copies a matrix to itself");
    return success();
  }
  return checkApart(op, op.getSource(), op.getDest());
}

static LogicalResult checkFromRows(Operation *op, ValueRange sources,
                                   Value dest) {
  for (Value source : sources)
    if (failed(checkApart(op, source, dest)))
      return failure();
  return success();
}

/// Checks that no row of a matrix is written through two views. (The verifier
/// checks that none is written twice through one.)
static LogicalResult checkRowsOnce(Operation *op, RowTableAttr rows,
                                   ValueRange dests) {
  SmallVector<MatrixWindow> windows;
  DenseMap<Value, int64_t> numViews; // only looked up
  for (Value dest : dests)
    ++numViews[windows.emplace_back(MatrixWindow::get(dest)).matrix];
  if (numViews.size() == dests.size())
    return success();
  DenseMap<Value, std::set<std::pair<int64_t, int64_t>>> written;
  row_table::Cursor cursor(rows.getCode());
  while (std::optional<RowRef> ref = cursor.next()) {
    if (ref->isNone())
      continue;
    const MatrixWindow &window = windows[ref->source];
    auto &known = written[window.matrix];
    int64_t row = window.row + ref->row;
    // All windows have the same number of columns.
    auto next = known.lower_bound({row, window.col - window.cols + 1});
    if (next != known.end() && next->first == row &&
        next->second < window.col + window.cols)
      return op->emitOpError("row ")
             << ref->row << " of matrix " << ref->source
             << " is written twice, through another view";
    known.insert({row, window.col});
  }
  return success();
}

template <typename OpTy> static LogicalResult checkToRows(OpTy op) {
  for (Value dest : op.getDests())
    if (failed(checkApart(op, op.getSource(), dest)))
      return failure();
  return checkRowsOnce(op, op.getRows(), op.getDests());
}

LogicalResult mlir::nnet3::checkCopies(const CommandAnalysis &analysis) {
  bool fails = false;
  for (int32_t c = 0; c < analysis.getNumCommands(); ++c) {
    auto result = TypeSwitch<Operation *, LogicalResult>(analysis.getCommand(c))
                      .Case([](MatrixCopyOp op) { return checkMatrixCopy(op); })
                      .Case<MatrixAddOp, CopyRowsOp, AddRowsOp, AddRowRangesOp>(
                          [](auto op) {
                            return checkApart(op, op.getSource(), op.getDest());
                          })
                      .Case<CopyRowsMultiOp, AddRowsMultiOp>([](auto op) {
                        return checkFromRows(op, op.getSources(), op.getDest());
                      })
                      .Case<CopyToRowsMultiOp, AddToRowsMultiOp>(
                          [](auto op) { return checkToRows(op); })
                      .Default([](Operation *) { return success(); });
    fails |= failed(result);
  }
  return failure(fails);
}
