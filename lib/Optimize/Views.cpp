//===- Views.cpp - The normal form of views -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Optimize/Views.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace llvm {
template <> struct DenseMapInfo<MatrixWindow> {
  static MatrixWindow getEmptyKey() {
    return {DenseMapInfo<Value>::getEmptyKey()};
  }
  static MatrixWindow getTombstoneKey() {
    return {DenseMapInfo<Value>::getTombstoneKey()};
  }
  static unsigned getHashValue(const MatrixWindow &window) {
    uint64_t hash = uintptr_t(window.matrix.getAsOpaquePointer());
    for (int64_t value : {window.row, window.rows, window.col, window.cols})
      hash = (hash ^ uint64_t(value)) * 0x9E3779B97F4A7C15;
    return hash >> 32;
  }
  static bool isEqual(const MatrixWindow &a, const MatrixWindow &b) {
    return a == b;
  }
};
} // namespace llvm

namespace {
/// Brings the views of a computation into their normal form, one by one.
class ViewNormalizer {
public:
  explicit ViewNormalizer(size_t numViews) {
    normal.reserve(numViews);
    views.reserve(numViews);
  }

  /// Brings `view` into its normal form. Returns it, or the equal view that was
  /// there before, or the matrix if it is the whole matrix.
  Value normalize(SubMatrixOp view);

  /// The views in normal form.
  ArrayRef<SubMatrixOp> getNormal() const { return normal; }
  /// Whether some view has got another source or place.
  bool hasChanged() const { return changed; }

private:
  std::vector<SubMatrixOp> normal;
  bool changed = false;
  // Both are only looked up.
  DenseMap<MatrixWindow, Value> views;
  /// The operation after which the next view of a matrix is inserted.
  DenseMap<Value, Operation *> last;
};
} // namespace

Value ViewNormalizer::normalize(SubMatrixOp view) {
  MatrixWindow window = MatrixWindow::get(view);
  if (window.isWhole())
    return window.matrix;
  Value &known = views[window];
  if (known)
    return known;
  if (view.getSource() != window.matrix) {
    setPlace(view, window);
    changed = true;
  }
  Operation *&end = last[window.matrix];
  if (!end)
    end = window.matrix.getDefiningOp();
  if (view->getPrevNode() != end) {
    view->moveAfter(end);
    changed = true;
  }
  known = view;
  end = view;
  normal.push_back(view);
  return view;
}

/// Whether all views are in normal form and used.
static bool areViewsNormal(Block &block) {
  Operation *definition = nullptr;
  llvm::SmallDenseSet<MatrixWindow, 8> known; // views after the definition
  for (Operation &op : block) {
    auto view = dyn_cast<SubMatrixOp>(op);
    if (!view) {
      definition = &op;
      known.clear();
      continue;
    }
    MatrixWindow window = MatrixWindow::get(view);
    if (view.getSource().getDefiningOp() != definition || view.use_empty() ||
        window.isWhole() || !known.insert(window).second)
      return false;
  }
  return true;
}

int64_t mlir::nnet3::normalizeViews(ArrayRef<SubMatrixOp> views,
                                    bool &changed) {
  ViewNormalizer normalizer(views.size());
  SmallVector<std::pair<SubMatrixOp, Value>> replacements;
  for (SubMatrixOp view : views) {
    Value normal = normalizer.normalize(view);
    if (normal != view.getResult())
      replacements.push_back({view, normal});
  }
  // Views of views come after their sources, so they are erased first.
  for (auto [view, value] : llvm::reverse(replacements)) {
    view.getResult().replaceAllUsesWith(value);
    view.erase();
  }
  int64_t removed = replacements.size();
  for (SubMatrixOp view : normalizer.getNormal())
    if (view.use_empty()) {
      view.erase();
      ++removed;
    }
  changed |= normalizer.hasChanged();
  return removed;
}

bool mlir::nnet3::normalizeViews(ComputationOp computation,
                                 int64_t *numRemoved) {
  Block &block = computation.getBody().front();
  if (areViewsNormal(block))
    return false;
  SmallVector<SubMatrixOp> views;
  for (Operation &op : block)
    if (auto view = dyn_cast<SubMatrixOp>(op))
      views.push_back(view);
  bool changed = false;
  int64_t removed = normalizeViews(views, changed);
  if (numRemoved)
    *numRemoved += removed;
  return removed || changed;
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
