//===- MatrixWindow.cpp - The position of a view in its matrix ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

MatrixWindow MatrixWindow::get(Value value) {
  MatrixWindow window = get(value, /*round=*/0);
  if (auto view = value.getDefiningOp<MovingSubMatrixOp>()) {
    auto round = cast<BlockArgument>(view.getRound());
    auto loop = cast<LoopOp>(round.getOwner()->getParentOp());
    const int64_t distance = view.getRowStep() * (loop.getCount() - 1);
    window.row += std::min<int64_t>(distance, 0);
    window.rows += std::abs(distance);
  }
  return window;
}

MatrixWindow MatrixWindow::get(Value value, int64_t round) {
  auto type = cast<MemRefType>(value.getType());
  MatrixWindow window{value, 0, type.getDimSize(0), 0, type.getDimSize(1)};
  if (auto view = value.getDefiningOp<MovingSubMatrixOp>()) {
    window.row = view.getRowOffset() + view.getRowStep() * round;
    window.col = view.getColOffset();
    window.matrix = view.getSource();
  }
  while (auto view = window.matrix.getDefiningOp<SubMatrixOp>()) {
    window.row += view.getRowOffset();
    window.col += view.getColOffset();
    window.matrix = view.getSource();
  }
  return window;
}

Value mlir::nnet3::createView(OpBuilder &builder, Location loc,
                              const MatrixWindow &window) {
  if (window.isWhole())
    return window.matrix;
  return SubMatrixOp::create(builder, loc, window.matrix, window.row,
                             window.rows, window.col, window.cols);
}

void mlir::nnet3::setPlace(SubMatrixOp view, const MatrixWindow &window) {
  view.setRowOffset(window.row);
  view.setColOffset(window.col);
  view.getSourceMutable().assign(window.matrix);
}

void mlir::nnet3::setView(SubMatrixOp view, const MatrixWindow &window) {
  setPlace(view, window);
  view.getResult().setType(
      getViewType(cast<MemRefType>(window.matrix.getType()), window.row,
                  window.rows, window.col, window.cols));
}
