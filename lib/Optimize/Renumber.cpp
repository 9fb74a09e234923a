//===- Renumber.cpp - Merge equal views, remove unused ones ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3RENUMBER
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct Renumber : public nnet3::impl::Nnet3RenumberBase<Renumber> {
  void runOnCommands() override {
    int64_t removed = 0;
    bool changed = normalizeViews(getOperation(), &removed);
    numViews += removed;
    auto isUnused = [](Operation &op) {
      return isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(op) &&
             llvm::all_of(op.getUsers(), llvm::IsaPred<DeallocMatrixOp>);
    };
    SmallVector<Operation *> unused;
    for (Operation &op : getOperation().getBody().front())
      if (isUnused(op))
        unused.push_back(&op);
    for (Operation *op : unused) {
      for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        user->erase();
      op->erase();
    }
    if (!changed && unused.empty())
      markAllAnalysesPreserved();
  }

private:
  PassCount numViews{"views removed"};
};
} // namespace
