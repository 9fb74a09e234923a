//===- MatrixValues.cpp - Matrix contents as tensors ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixValues.h"

using namespace mlir;
using namespace mlir::nnet3;

static MatrixPiece getPiece(const MatrixWindow &window) {
  return {window.row, window.rows, window.col, window.cols, Value()};
}

MatrixPiece MatrixValues::clip(const MatrixPiece &piece,
                               const MatrixPiece &window) {
  MatrixPiece part;
  part.row = std::max(piece.row, window.row);
  part.rows = std::min(piece.endRow(), window.endRow()) - part.row;
  part.column = std::max(piece.column, window.column);
  part.columns = std::min(piece.endColumn(), window.endColumn()) - part.column;
  if (piece.tensor)
    part.tensor = tensors.slice(piece.tensor, part.row - piece.row, part.rows,
                                part.column - piece.column, part.columns);
  return part;
}

Value MatrixValues::read(Value view) {
  const MatrixWindow window = MatrixWindow::get(view);
  const MatrixPiece whole = getPiece(window);
  Pieces parts;
  for (const MatrixPiece &piece : matrices[window.matrix])
    if (piece.overlaps(whole))
      parts.push_back(clip(piece, whole));
  return assemble(whole, parts);
}

void MatrixValues::write(Value view, Value tensor) {
  const MatrixWindow window = MatrixWindow::get(view);
  MatrixPiece written = getPiece(window);
  written.tensor = tensor;
  Pieces kept;
  for (const MatrixPiece &piece : matrices[window.matrix]) {
    if (!piece.overlaps(written)) {
      kept.push_back(piece);
      continue;
    }
    // Keeps the rest of the piece: above, below, left and right of `written`.
    auto keep = [&](int64_t row, int64_t endRow, int64_t column,
                    int64_t endColumn) {
      if (row < endRow && column < endColumn)
        kept.push_back(clip(
            piece, {row, endRow - row, column, endColumn - column, Value()}));
    };
    const int64_t top = std::max(piece.row, written.row);
    const int64_t bottom = std::min(piece.endRow(), written.endRow());
    keep(piece.row, top, piece.column, piece.endColumn());
    keep(bottom, piece.endRow(), piece.column, piece.endColumn());
    keep(top, bottom, piece.column, written.column);
    keep(top, bottom, written.endColumn(), piece.endColumn());
  }
  kept.push_back(written);
  matrices[window.matrix] = std::move(kept);
}

/// Returns the sorted start positions of `pieces` in one dimension.
static SmallVector<int64_t> getCuts(ArrayRef<MatrixPiece> pieces,
                                    int64_t MatrixPiece::*begin) {
  SmallVector<int64_t> cuts;
  for (const MatrixPiece &piece : pieces)
    cuts.push_back(piece.*begin);
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  return cuts;
}

/// Concatenates columns if all pieces are as high as the window; else cuts the
/// window into bands at every row where a piece starts and concatenates the
/// bands.
Value MatrixValues::assemble(const MatrixPiece &window,
                             ArrayRef<MatrixPiece> pieces) {
  auto areAll = [&](auto predicate) { return llvm::all_of(pieces, predicate); };
  // Elements that were never written are undefined.
  if (areAll([](const MatrixPiece &piece) { return !piece.tensor; }))
    return tensors.zeros(window.rows, window.columns);
  if (pieces.size() == 1)
    return pieces.front().tensor;
  const bool isSideBySide = areAll(
      [&](const MatrixPiece &piece) { return piece.rows == window.rows; });
  SmallVector<Value> parts;
  auto begin = isSideBySide ? &MatrixPiece::column : &MatrixPiece::row;
  auto size = isSideBySide ? &MatrixPiece::columns : &MatrixPiece::rows;
  SmallVector<int64_t> cuts = getCuts(pieces, begin);
  cuts.push_back(window.*begin + window.*size);
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    MatrixPiece part = window;
    part.*begin = cuts[i];
    part.*size = cuts[i + 1] - cuts[i];
    Pieces inside;
    for (const MatrixPiece &piece : pieces)
      if (piece.overlaps(part))
        inside.push_back(clip(piece, part));
    parts.push_back(assemble(part, inside));
  }
  return tensors.concat(parts, isSideBySide ? 1 : 0);
}
