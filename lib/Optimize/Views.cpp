//===- Views.cpp - The normal form of views -------------------------------===//

#include "nnet3/Optimize/Views.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace mlir::nnet3;

int64_t mlir::nnet3::normalizeViews(ComputationOp computation) {
  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t>;
  DenseMap<Value, std::map<Key, Value>> views; // only looked up
  DenseMap<Value, Operation *> last;           // behind which the next one goes
  SmallVector<SubMatrixOp> old(computation.getBody().getOps<SubMatrixOp>());
  int64_t numCreated = 0;
  // Those that are used by others come before them.
  for (SubMatrixOp view : llvm::reverse(old))
    if (view.use_empty())
      view.erase();
  SmallVector<SubMatrixOp> used(computation.getBody().getOps<SubMatrixOp>());
  SmallVector<std::pair<SubMatrixOp, Value>> replacements;
  for (SubMatrixOp view : used) {
    MatrixWindow window = MatrixWindow::get(view);
    Value &known = views[window.matrix]
                        [{window.row, window.rows, window.col, window.cols}];
    if (!known) {
      Operation *&previous = last[window.matrix];
      if (!previous)
        previous = window.matrix.getDefiningOp();
      OpBuilder builder(computation.getContext());
      builder.setInsertionPointAfter(previous);
      known = createView(builder, view.getLoc(), window);
      if (known != window.matrix) {
        previous = known.getDefiningOp();
        ++numCreated;
      }
    }
    replacements.push_back({view, known});
  }
  for (auto [view, value] : llvm::reverse(replacements)) {
    view.getResult().replaceAllUsesWith(value);
    view.erase();
  }
  return int64_t(old.size()) - numCreated;
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
