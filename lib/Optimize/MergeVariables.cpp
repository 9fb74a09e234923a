//===- MergeVariables.cpp - Merge the storage of two matrices -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.6. Works in rounds: each round finds independent merges
// with one valid analysis, and then applies them. The next round looks only at
// matrices that have changed.
//
//===----------------------------------------------------------------------===//

#include "MergeFinder.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Optimize/Views.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3MERGEVARIABLES
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Appends the views of a matrix, which follow its definition, in reverse
/// order.
static void appendViews(Value matrix, SmallVectorImpl<SubMatrixOp> &views) {
  size_t size = views.size();
  auto isView = [&](Operation *op) {
    auto view = dyn_cast_if_present<SubMatrixOp>(op);
    return view && view.getSource() == matrix;
  };
  for (Operation *op = matrix.getDefiningOp()->getNextNode(); isView(op);
       op = op->getNextNode())
    views.push_back(cast<SubMatrixOp>(op));
  std::reverse(views.begin() + size, views.end());
}

/// Replaces `discarded` by the part `kept` of another matrix. Appends the views
/// that this needs, in reverse order.
static void replaceUses(Value discarded, const MatrixWindow &kept,
                        ViewTypes &types, SmallVectorImpl<SubMatrixOp> &views) {
  Operation *last = kept.matrix.getDefiningOp();
  OpBuilder builder(last->getContext());
  size_t size = views.size();
  auto getPart = [&](const MatrixWindow &window) -> MatrixWindow {
    return {kept.matrix, kept.row + window.row, window.rows,
            kept.col + window.col, window.cols};
  };
  auto append = [&](SubMatrixOp view) {
    views.push_back(view);
    last = view;
  };
  Value whole;
  for (OpOperand &use : llvm::make_early_inc_range(discarded.getUses())) {
    if (auto view = dyn_cast<SubMatrixOp>(use.getOwner())) {
      const MatrixWindow part = getPart(MatrixWindow::get(view));
      if (part.isWhole()) {
        view.getResult().replaceAllUsesWith(kept.matrix);
        view.erase();
        continue;
      }
      setView(view, part, types);
      view->moveAfter(last);
      append(view);
      continue;
    }
    if (!whole) {
      builder.setInsertionPointAfter(last);
      whole = createView(builder, last->getLoc(),
                         getPart(MatrixWindow::get(discarded)), types);
      if (whole != kept.matrix)
        append(whole.getDefiningOp<SubMatrixOp>());
    }
    use.set(whole);
  }
  std::reverse(views.begin() + size, views.end());
}

namespace {
/// A matrix that is kept in one round.
struct KeptMatrix {
  /// The matrices that become parts of it.
  SmallVector<MergedMatrix, 1> merged;
  /// Its views, in reverse order.
  SmallVector<SubMatrixOp> views;
};

struct MergeVariables
    : public nnet3::impl::Nnet3MergeVariablesBase<MergeVariables> {
  using Base::Base;

  void runOnCommands() override {
    Nnet3MergeVariablesOptions options{removeAssignments, propagateInPlace,
                                       backpropInPlace, allowLeftMerge,
                                       allowRightMerge};
    bool changed = normalizeViews(getOperation());
    analysis = &getAnalysis<CommandAnalysis>();
    MergeFinder finder(*analysis, options);
    SmallVector<int32_t> commands =
        llvm::to_vector(llvm::seq(analysis->getNumCommands()));
    SmallVector<Merge> merges = finder.find(commands);
    if (!changed && merges.empty())
      return markAllAnalysesPreserved();
    while (!merges.empty()) {
      ++numRounds;
      // A candidate can become possible only if one of its matrices changes.
      merges = finder.find(apply(merges, finder));
    }
    analysis->renumber();
    markAnalysesPreserved<CommandAnalysis>();
  }

private:
  SmallVector<int32_t> apply(ArrayRef<Merge> merges, MergeFinder &finder);
  void apply(Merge merge, MergeFinder &finder);
  void erase(int32_t command) {
    analysis->getCommand(command)->erase();
    analysis->eraseCommand(command);
  }

  CommandAnalysis *analysis = nullptr;
  /// Kept matrices of this round, by number.
  llvm::MapVector<int32_t, KeptMatrix> kept;
  ViewTypes viewTypes;
  PassCount numCopies{"copies removed"};
  PassCount numInPlace{"components run in place"};
  PassCount numRounds{"rounds"};
};
} // namespace

/// Applies the merges of one round. Returns the commands that access the merged
/// matrices, in ascending order.
SmallVector<int32_t> MergeVariables::apply(ArrayRef<Merge> merges,
                                           MergeFinder &finder) {
  kept.clear();
  for (const Merge &merge : merges)
    apply(merge, finder);
  SmallVector<SubMatrixOp> views;
  for (auto &[number, matrix] : kept)
    llvm::append_range(views, llvm::reverse(matrix.views));
  bool changed = false;
  normalizeViews(views, changed);
  SmallVector<int32_t> commands;
  for (auto &[number, matrix] : kept) {
    analysis->mergeMatrices(number, matrix.merged);
    for (const Access &access : analysis->getMatrixAccesses(number).accesses)
      commands.push_back(access.command);
  }
  std::sort(commands.begin(), commands.end());
  commands.erase(llvm::unique(commands), commands.end());
  return commands;
}

void MergeVariables::apply(Merge merge, MergeFinder &finder) {
  ++(merge.candidate.isAssignment ? numCopies : numInPlace);
  // Another merge of this round may have erased it already.
  if (merge.dealloc >= 0 && analysis->getCommand(merge.dealloc))
    erase(merge.dealloc);
  // An input of the computation is kept; both matrices are whole then.
  if (isa<AcceptInputOp>(merge.discarded.getDefiningOp()))
    std::swap(merge.discarded, merge.kept.matrix);
  int32_t from = analysis->getMatrixNumber(merge.discarded);
  int32_t to = analysis->getMatrixNumber(merge.kept.matrix);
  Operation *definition = merge.discarded.getDefiningOp();
  Operation *keptOp = merge.kept.matrix.getDefiningOp();
  auto [it, isNew] = kept.try_emplace(to);
  KeptMatrix &matrix = it->second;
  if (isNew)
    appendViews(merge.kept.matrix, matrix.views);
  bool takesPlace = merge.isKeptLater && !isa<AcceptInputOp>(definition) &&
                    !isa<AcceptInputOp>(keptOp);
  if (takesPlace)
    keptOp->moveBefore(definition);
  replaceUses(merge.discarded, merge.kept, viewTypes, matrix.views);
  definition->erase();
  if (merge.candidate.isAssignment)
    erase(merge.candidate.command);
  if (merge.candidate.stats >= 0)
    cast<StoreStatsOp>(analysis->getCommand(merge.candidate.stats))
        .getInputMutable()
        .clear();
  matrix.merged.push_back({from, merge.kept.row, merge.kept.col, takesPlace});
  finder.merge(from, to);
}
