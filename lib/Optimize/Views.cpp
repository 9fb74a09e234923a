//===- Views.cpp - The normal form of views -------------------------------===//

#include "nnet3/Optimize/Views.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Puts the views of a computation into their normal form, one by one.
class ViewNormalizer {
public:
  explicit ViewNormalizer(MLIRContext *context) : builder(context) {}

  /// The view in normal form that is the same as `view`; `view` itself if it
  /// can be that.
  Value normalize(SubMatrixOp view);

  /// Whether some view was moved.
  bool hasMoved() const { return moved; }

private:
  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t>;
  /// The views of a matrix, and the operation behind which the next one goes.
  struct Entry {
    std::map<Key, Value> views;
    Operation *last = nullptr;
  };

  bool moved = false;
  OpBuilder builder;
  DenseMap<Value, Entry> entries; // only looked up
};
} // namespace

Value ViewNormalizer::normalize(SubMatrixOp view) {
  MatrixWindow window = MatrixWindow::get(view);
  if (window.isWhole())
    return window.matrix;
  Entry &entry = entries[window.matrix];
  if (!entry.last)
    entry.last = window.matrix.getDefiningOp();
  Value &known =
      entry.views[{window.row, window.rows, window.col, window.cols}];
  if (known)
    return known;
  if (view.getSource() == window.matrix) {
    if (view->getPrevNode() != entry.last) {
      view->moveAfter(entry.last);
      moved = true;
    }
    known = view;
  } else {
    builder.setInsertionPointAfter(entry.last);
    known = createView(builder, view.getLoc(), window);
  }
  entry.last = known.getDefiningOp();
  return known;
}

bool mlir::nnet3::normalizeViews(ComputationOp computation,
                                 int64_t *numRemoved) {
  SmallVector<SubMatrixOp> old(computation.getBody().getOps<SubMatrixOp>());
  int64_t removed = 0;
  ViewNormalizer normalizer(computation.getContext());
  SmallVector<std::pair<SubMatrixOp, Value>> replacements;
  for (SubMatrixOp view : old) {
    Value normal = normalizer.normalize(view);
    if (normal != view.getResult())
      replacements.push_back({view, normal});
  }
  // Views of views come behind what they are views of.
  for (auto [view, value] : llvm::reverse(replacements)) {
    view.getResult().replaceAllUsesWith(value);
    view.erase();
  }
  for (auto view :
       llvm::make_early_inc_range(computation.getBody().getOps<SubMatrixOp>()))
    if (view.use_empty()) {
      view.erase();
      ++removed;
    }
  removed += replacements.size();
  if (numRemoved)
    *numRemoved += removed;
  return removed || normalizer.hasMoved();
}

Value mlir::nnet3::sliceRows(OpBuilder &builder, Location loc, Value value,
                             int64_t begin, int64_t count) {
  MatrixWindow window = MatrixWindow::get(value);
  if (begin == 0 && count == window.rows)
    return value;
  window.row += begin;
  window.rows = count;
  return createView(builder, loc, window);
}
