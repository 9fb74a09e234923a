//===- RemoveUnnecessaryAllocation.cpp - Reuse storage that is freed ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/StorageReuse.h"

#include <map>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REMOVEUNNECESSARYALLOCATION
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Allocations and deallocations of matrices of one size, with their positions.
struct Group {
  SmallVector<std::pair<int32_t, DeallocMatrixOp>> deallocs;
  std::map<int32_t, Operation *> allocs;
};
} // namespace

void mlir::nnet3::forEachReuse(
    Block &block, function_ref<void(DeallocMatrixOp, Operation *)> reuse) {
  std::map<std::pair<int64_t, int64_t>, Group> groups;
  auto groupOf = [&](Value matrix) -> Group & {
    auto type = cast<MemRefType>(matrix.getType());
    return groups[{type.getDimSize(0), type.getDimSize(1)}];
  };
  int32_t position = 0;
  for (Operation &op : block) {
    ++position;
    if (auto dealloc = dyn_cast<DeallocMatrixOp>(op))
      groupOf(dealloc.getMatrix()).deallocs.push_back({position, dealloc});
    else if (isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(op))
      groupOf(op.getResult(0)).allocs[position] = &op;
  }
  for (auto &[size, group] : groups)
    for (auto [freed, dealloc] : llvm::reverse(group.deallocs)) {
      auto it = group.allocs.upper_bound(freed);
      if (it == group.allocs.end())
        continue;
      reuse(dealloc, it->second);
      group.allocs.erase(it);
    }
}

namespace {
struct RemoveUnnecessaryAllocation
    : public nnet3::impl::Nnet3RemoveUnnecessaryAllocationBase<
          RemoveUnnecessaryAllocation> {
  void runOnCommands() override {
    Block &block = getOperation().getBody().front();
    bool changed = false;
    // Which storage a matrix takes over can differ from round to round, so this
    // is left to the pass that makes loops of elided rounds.
    for (auto elided : block.getOps<ElidedRoundsOp>()) {
      elided.setReuseStorage(true);
      changed = true;
    }
    if (!changed)
      forEachReuse(block, [&](DeallocMatrixOp dealloc, Operation *alloc) {
        reuse(dealloc, alloc);
        changed = true;
      });
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  void reuse(DeallocMatrixOp dealloc, Operation *alloc) {
    OpBuilder builder(alloc);
    auto move =
        MoveMatrixOp::create(builder, alloc->getLoc(), dealloc.getMatrix());
    move->setDiscardableAttrs(alloc->getDiscardableAttrDictionary());
    if (isa<AllocMatrixZeroedOp>(alloc))
      SetConstOp::create(builder, alloc->getLoc(), move.getResult(),
                         builder.getF32FloatAttr(0));
    alloc->getResult(0).replaceAllUsesWith(move.getResult());
    alloc->erase();
    dealloc.erase();
    ++numReused;
  }

  PassCount numReused{"allocations reused"};
};
} // namespace
