//===- MatrixStacks.cpp - One matrix for those of all rounds --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixStacks.h"

using namespace mlir;
using namespace mlir::nnet3;

bool mlir::nnet3::outlivesRounds(const Rounds &rounds, int64_t maker,
                                 int64_t end) {
  const int64_t distance = rounds.getDistance(maker);
  for (int64_t round = std::max<int64_t>(rounds.getBegin() - distance, -1);
       round < end - distance; ++round) {
    Value matrix = rounds.getMatrix(round, maker);
    if (matrix && rounds.getLastUse(matrix) > round + distance)
      return true;
  }
  return false;
}

/// Returns the command that frees the matrix; null if another command needs the
/// whole matrix.
static DeallocMatrixOp getOnlyEnd(Value matrix) {
  DeallocMatrixOp end;
  for (Operation *user : matrix.getUsers()) {
    if (auto dealloc = dyn_cast<DeallocMatrixOp>(user))
      end = dealloc;
    else if (isa<ProvideOutputOp, CompressMatrixOp, MoveMatrixOp>(user))
      return nullptr;
  }
  return end;
}

/// Replaces a matrix and its views by views of the stack, in which the matrix
/// starts at row `row`.
static void replaceByPart(OpBuilder &builder, Value matrix, Value stack,
                          int64_t row) {
  SmallVector<Value> views = {matrix};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers())
      if (auto inner = dyn_cast<SubMatrixOp>(user))
        views.push_back(inner);
    MatrixWindow window = MatrixWindow::get(view);
    window.matrix = stack;
    window.row += row;
    Value part = createView(builder, view.getLoc(), window);
    view.replaceUsesWithIf(
        part, [](OpOperand &use) { return !isa<SubMatrixOp>(use.getOwner()); });
  }
}

bool mlir::nnet3::stackMatrices(CommandList &list, const Rounds &rounds,
                                int64_t maker) {
  SmallVector<Operation *> allocs;
  SmallVector<DeallocMatrixOp> ends;
  for (int64_t round = 0; round < rounds.getNumRounds(); ++round) {
    allocs.push_back(rounds.getCommand(round, maker));
    if (!isa<AllocMatrixUndefinedOp, AllocMatrixZeroedOp>(allocs.back()))
      return false;
    ends.push_back(getOnlyEnd(allocs.back()->getResult(0)));
    if (!ends.back())
      return false;
  }
  auto type = cast<MemRefType>(allocs.front()->getResultTypes().front());
  const int64_t rows = type.getDimSize(0);
  OpBuilder builder(allocs.front());
  Value stack = AllocMatrixUndefinedOp::create(
      builder, allocs.front()->getLoc(),
      MemRefType::get({rows * rounds.getNumRounds(), type.getDimSize(1)},
                      type.getElementType()));
  auto last = llvm::max_element(ends, [&](auto a, auto b) {
    return list.getNumber(a) < list.getNumber(b);
  });
  builder.setInsertionPoint(*last);
  DeallocMatrixOp::create(builder, (*last).getLoc(), stack);
  for (DeallocMatrixOp end : ends) {
    list.forget(end);
    end.erase();
  }
  for (auto [round, alloc] : llvm::enumerate(allocs)) {
    builder.setInsertionPoint(alloc);
    replaceByPart(builder, alloc->getResult(0), stack, round * rows);
    if (isa<AllocMatrixZeroedOp>(alloc)) {
      Value part = createView(
          builder, alloc->getLoc(),
          {stack, int64_t(round) * rows, rows, 0, type.getDimSize(1)});
      SetConstOp::create(builder, alloc->getLoc(), part,
                         builder.getF32FloatAttr(0));
    }
    list.forget(alloc);
    eraseWithViews(alloc);
  }
  return true;
}
