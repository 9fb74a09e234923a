//===- JoinSources.cpp - Join views of one matrix -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinSources.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

#include <tuple>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Views of the same columns of one matrix, whose rows have no gaps.
struct Joined {
  MatrixWindow window;
  SmallVector<unsigned> views;

  int64_t getEnd() const { return window.row + window.rows; }
  /// Whether the rows of `other`, which start no earlier, can be added.
  bool canAdd(const MatrixWindow &other) const {
    return window.matrix == other.matrix && window.col == other.col &&
           window.cols == other.cols && other.row <= getEnd();
  }
};
} // namespace

static SmallVector<Joined> join(ValueRange views) {
  SmallVector<std::pair<MatrixWindow, unsigned>> windows;
  for (auto [number, view] : llvm::enumerate(views))
    windows.push_back({MatrixWindow::get(view), unsigned(number)});
  llvm::sort(windows, [](const auto &a, const auto &b) {
    return std::tie(a.first.row, a.second) < std::tie(b.first.row, b.second);
  });
  SmallVector<Joined> result;
  for (const auto &[window, number] : windows) {
    auto *known =
        llvm::find_if(result, [&window = window](const Joined &joined) {
          return joined.canAdd(window);
        });
    if (known == result.end()) {
      result.push_back({window, {number}});
      continue;
    }
    known->window.rows =
        std::max(known->getEnd(), window.row + window.rows) - known->window.row;
    known->views.push_back(number);
  }
  // In the order of the first view of each.
  for (Joined &joined : result)
    llvm::sort(joined.views);
  llvm::sort(result, [](const Joined &a, const Joined &b) {
    return a.views.front() < b.views.front();
  });
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
