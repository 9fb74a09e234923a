//===- Storage.cpp - Storage that matrices share --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Storage.h"
#include "nnet3/Optimize/StorageReuse.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

/// Returns the command of the block that uses a matrix last, other than `end`;
/// the matrix's definition if there is none.
static Operation *getLastUser(Value matrix, Operation *end) {
  Operation *last = matrix.getDefiningOp();
  Block *block = last->getBlock();
  SmallVector<Value> views = {matrix};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (auto view = dyn_cast<ViewLikeOpInterface>(user))
        views.push_back(view->getResult(0));
      Operation *command = block->findAncestorOpInBlock(*user);
      if (command != end && last->isBeforeInBlock(command))
        last = command;
    }
  return last;
}

/// Returns the command that fills a matrix with zeros, directly behind `op`;
/// null if there is none.
static SetConstOp getZeroing(MoveMatrixOp op) {
  auto set = dyn_cast_if_present<SetConstOp>(op->getNextNode());
  return set && set.getMatrix() == op.getResult() && set.getValue().isZero()
             ? set
             : SetConstOp();
}

/// Orders deallocations that follow one another by the matrices' definitions.
static void sortDeallocs(Block &block) {
  auto isBefore = [](DeallocMatrixOp a, DeallocMatrixOp b) {
    return a.getMatrix().getDefiningOp()->isBeforeInBlock(
        b.getMatrix().getDefiningOp());
  };
  SmallVector<DeallocMatrixOp> run;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto dealloc = dyn_cast<DeallocMatrixOp>(op)) {
      run.push_back(dealloc);
      continue;
    }
    if (run.size() > 1) {
      llvm::sort(run, isBefore);
      for (DeallocMatrixOp dealloc : run)
        dealloc->moveBefore(&op);
    }
    run.clear();
  }
}

/// Replaces `move` by an allocation.
static void replaceMove(MoveMatrixOp move) {
  OpBuilder builder(move);
  SetConstOp zeroing = getZeroing(move);
  Operation *alloc =
      zeroing
          ? AllocMatrixZeroedOp::create(builder, move.getLoc(), move.getType())
                .getOperation()
          : AllocMatrixUndefinedOp::create(builder, move.getLoc(),
                                           move.getType());
  alloc->setDiscardableAttrs(move->getDiscardableAttrDictionary());
  if (zeroing)
    zeroing.erase();
  move.getResult().replaceAllUsesWith(alloc->getResult(0));
  move.erase();
}

bool mlir::nnet3::splitStorage(ComputationOp computation) {
  Block &block = computation.getBody().front();
  // Each move, and the last use of its source. They are found before anything
  // changes, since then the order of commands is known.
  SmallVector<std::pair<MoveMatrixOp, Operation *>> moves;
  for (auto move : block.getOps<MoveMatrixOp>())
    moves.push_back({move, getLastUser(move.getSource(), move)});
  OpBuilder builder(computation.getContext());
  for (auto [move, last] : moves) {
    builder.setInsertionPointAfter(last);
    DeallocMatrixOp::create(builder, move.getLoc(), move.getSource());
  }
  sortDeallocs(block);
  for (auto [move, last] : moves)
    replaceMove(move);
  return !moves.empty();
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Replaces the matrix of `alloc` by one that exists.
static void replaceAlloc(Operation *alloc, Value storage) {
  OpBuilder builder(alloc);
  if (isa<AllocMatrixZeroedOp>(alloc))
    SetConstOp::create(builder, alloc->getLoc(), storage,
                       builder.getF32FloatAttr(0));
  alloc->getResult(0).replaceAllUsesWith(storage);
  alloc->erase();
}

static void joinStorage(Block &block) {
  forEachReuse(block, [](DeallocMatrixOp dealloc, Operation *alloc) {
    replaceAlloc(alloc, dealloc.getMatrix());
    dealloc.erase();
  });
}

/// Allocates the matrices of a loop before it.
static void hoistStorage(LoopOp loop) {
  Block &body = loop.getBody().front();
  OpBuilder builder(loop);
  for (auto dealloc :
       llvm::make_early_inc_range(body.getOps<DeallocMatrixOp>())) {
    Operation *alloc = dealloc.getMatrix().getDefiningOp();
    builder.setInsertionPoint(loop);
    Value storage = AllocMatrixUndefinedOp::create(
        builder, alloc->getLoc(),
        cast<MemRefType>(dealloc.getMatrix().getType()));
    dealloc->moveAfter(loop);
    replaceAlloc(alloc, storage);
  }
}

void mlir::nnet3::joinStorage(ComputationOp computation) {
  Block &block = computation.getBody().front();
  for (LoopOp loop : block.getOps<LoopOp>()) {
    ::joinStorage(loop.getBody().front());
    hoistStorage(loop);
  }
  ::joinStorage(block);
}
