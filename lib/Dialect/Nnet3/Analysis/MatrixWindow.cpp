//===- MatrixWindow.cpp - The position of a view in its matrix ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the window of `value`, whose defining operation is `op`, if that is
/// a view; otherwise of the whole matrix.
static MatrixWindow getPlaced(Value value, Operation *op) {
  auto type = cast<MemRefType>(value.getType());
  MatrixWindow window{value, 0, type.getDimSize(0), 0, type.getDimSize(1)};
  while (auto view = dyn_cast_if_present<SubMatrixOp>(op)) {
    window.row += view.getRowOffset();
    window.col += view.getColOffset();
    window.matrix = view.getSource();
    op = window.matrix.getDefiningOp();
  }
  return window;
}

/// As above, for a moving view in iteration `round`.
static MatrixWindow getPlaced(MovingSubMatrixOp view, int64_t round) {
  MatrixWindow window =
      getPlaced(view.getSource(), view.getSource().getDefiningOp());
  window.row += view.getRowOffset() + view.getRowStep() * round;
  window.col += view.getColOffset();
  window.rows = view.getType().getDimSize(0);
  window.cols = view.getType().getDimSize(1);
  return window;
}

MatrixWindow MatrixWindow::get(Value value) {
  Operation *op = value.getDefiningOp();
  auto view = dyn_cast_if_present<MovingSubMatrixOp>(op);
  if (!view)
    return getPlaced(value, op);
  MatrixWindow window = getPlaced(view, /*round=*/0);
  auto round = cast<BlockArgument>(view.getRound());
  auto loop = cast<LoopOp>(round.getOwner()->getParentOp());
  const int64_t distance = view.getRowStep() * (loop.getCount() - 1);
  window.row += std::min<int64_t>(distance, 0);
  window.rows += std::abs(distance);
  return window;
}

MatrixWindow MatrixWindow::get(Value value, int64_t round) {
  Operation *op = value.getDefiningOp();
  auto view = dyn_cast_if_present<MovingSubMatrixOp>(op);
  return view ? getPlaced(view, round) : getPlaced(value, op);
}

Value mlir::nnet3::createView(OpBuilder &builder, Location loc,
                              const MatrixWindow &window) {
  if (window.isWhole())
    return window.matrix;
  return SubMatrixOp::create(builder, loc, window.matrix, window.row,
                             window.rows, window.col, window.cols);
}

static MemRefType getType(const MatrixWindow &window, ViewTypes &types) {
  return types.get(cast<MemRefType>(window.matrix.getType()), window.row,
                   window.rows, window.col, window.cols);
}

Value mlir::nnet3::createView(OpBuilder &builder, Location loc,
                              const MatrixWindow &window, ViewTypes &types) {
  if (window.isWhole())
    return window.matrix;
  return SubMatrixOp::create(builder, loc, getType(window, types),
                             window.matrix, window.row, window.col);
}

void mlir::nnet3::setPlace(SubMatrixOp view, const MatrixWindow &window) {
  view.setRowOffset(window.row);
  view.setColOffset(window.col);
  view.getSourceMutable().assign(window.matrix);
}

void mlir::nnet3::setView(SubMatrixOp view, const MatrixWindow &window,
                          ViewTypes &types) {
  setPlace(view, window);
  view.getResult().setType(getType(window, types));
}
