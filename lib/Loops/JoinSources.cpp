//===- JoinSources.cpp - Join views of one matrix -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinSources.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Views of the same columns of one matrix.
struct Joined {
  MatrixWindow window;
  SmallVector<unsigned> views;
};
} // namespace

static SmallVector<Joined> join(ValueRange views) {
  SmallVector<Joined> result;
  for (auto [number, view] : llvm::enumerate(views)) {
    MatrixWindow window = MatrixWindow::get(view);
    auto *known = llvm::find_if(result, [&](const Joined &joined) {
      return joined.window.matrix == window.matrix &&
             joined.window.col == window.col &&
             joined.window.cols == window.cols;
    });
    if (known == result.end()) {
      result.push_back({window, {unsigned(number)}});
      continue;
    }
    MatrixWindow &all = known->window;
    const int64_t end = std::max(all.row + all.rows, window.row + window.rows);
    all.row = std::min(all.row, window.row);
    all.rows = end - all.row;
    known->views.push_back(number);
  }
  return result;
}

/// `views` are the operands of `op` that its row table refers to.
template <typename OpTy>
static bool joinViews(OpTy op, MutableOperandRange views) {
  ValueRange values(views);
  SmallVector<Joined> all = join(values);
  if (all.size() == values.size())
    return false;
  SmallVector<RowRef> places(values.size());
  SmallVector<Value> sources;
  OpBuilder builder(op);
  for (auto [number, joined] : llvm::enumerate(all)) {
    for (unsigned view : joined.views)
      places[view] = {int32_t(number),
                      MatrixWindow::get(values[view]).row - joined.window.row};
    sources.push_back(createView(builder, op.getLoc(), joined.window));
  }
  SmallVector<RowRef> rows = op.getRows().expand();
  for (RowRef &row : rows)
    if (!row.isNone())
      row = {places[row.source].source, places[row.source].row + row.row};
  op.setRowsAttr(RowTableAttr::get(op.getContext(), rows));
  views.assign(sources);
  return true;
}

bool mlir::nnet3::joinSources(ComputationOp computation) {
  bool changed = false;
  for (Operation &op : computation.getBody().front()) {
    if (auto rows = dyn_cast<CopyRowsMultiOp>(op))
      changed |= joinViews(rows, rows.getSourcesMutable());
    else if (auto rows = dyn_cast<AddRowsMultiOp>(op))
      changed |= joinViews(rows, rows.getSourcesMutable());
    else if (auto rows = dyn_cast<CopyToRowsMultiOp>(op))
      changed |= joinViews(rows, rows.getDestsMutable());
    else if (auto rows = dyn_cast<AddToRowsMultiOp>(op))
      changed |= joinViews(rows, rows.getDestsMutable());
  }
  return changed;
}
