//===- InlineLaunch.cpp - Inline the code of device launches --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/InlineLaunch.h"

#include "nnet3/Conversion/KernelToVector/RowAddresses.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Rewrites accesses to elements of `view`, the block argument for an operand
/// of `op`, as accesses to memory.
static LogicalResult replaceView(LaunchOp op, Value operand, Value view,
                                 PatternRewriter &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  ImplicitLocOpBuilder outside(op.getLoc(), rewriter);
  auto rows = RowAddresses::get(outside, op, operand);
  if (failed(rows))
    return failure();
  auto getPlace = [&](Operation *access, ValueRange indices) {
    rewriter.setInsertionPoint(access);
    ImplicitLocOpBuilder b(access->getLoc(), rewriter);
    Value first =
        indices.size() > 1 ? rows->getRow(b, indices[0]) : rows->getFirst(b);
    return addIndex(b, first, indices.back());
  };
  for (Operation *user : llvm::make_early_inc_range(view.getUsers())) {
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      Value place = getPlace(load, load.getIndices());
      rewriter.replaceOpWithNewOp<memref::LoadOp>(load, rows->getMemory(),
                                                  place);
    } else if (auto store = dyn_cast<memref::StoreOp>(user);
               store && store.getMemRef() == view) {
      Value place = getPlace(store, store.getIndices());
      rewriter.replaceOpWithNewOp<memref::StoreOp>(
          store, store.getValueToStore(), rows->getMemory(), place);
    } else if (auto prefetch = dyn_cast<memref::PrefetchOp>(user)) {
      Value place = getPlace(prefetch, prefetch.getIndices());
      rewriter.replaceOpWithNewOp<memref::PrefetchOp>(
          prefetch, rows->getMemory(), place, prefetch.getIsWrite(),
          prefetch.getLocalityHint(), prefetch.getIsDataCache());
    } else {
      return user->emitOpError("does not load, store or prefetch an element of "
                               "a view");
    }
  }
  return success();
}

LogicalResult kernel::inlineLaunch(LaunchOp op, PatternRewriter &rewriter) {
  Block &block = op.getBody().front();
  for (auto [input, argument] :
       llvm::zip_equal(op.getInputs(), block.getArguments()))
    if (!isa<IndexType>(input.getType()) && !isArena(input.getType()) &&
        !isTable(input.getType()) &&
        failed(replaceView(op, input, argument, rewriter)))
      return failure();
  rewriter.eraseOp(block.getTerminator());
  rewriter.inlineBlockBefore(&block, op, op.getInputs());
  rewriter.eraseOp(op);
  return success();
}
