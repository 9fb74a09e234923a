//===- SnipRowOps.cpp - Cut off rows that do not change -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/RewriteCommands.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SNIPROWOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

/// Cuts `operand`, which has a row for each entry of `rows`; passes the
/// function that cuts a table to `setTables`. Erases a command without rows.
template <typename SetTables>
static LogicalResult snip(PatternRewriter &rewriter, Operation *op,
                          RowTableAttr rows, OpOperand &operand,
                          SetTables setTables) {
  int64_t size = rows.size(), begin = getLeadingNone(rows.getCode());
  if (begin == size) {
    rewriter.eraseOp(op);
    return success();
  }
  int64_t count = size - begin - getTrailingNone(rows.getCode());
  if (count == size)
    return failure();
  Value part = sliceRows(rewriter, op->getLoc(), operand.get(), begin, count);
  rewriter.modifyOpInPlace(op, [&] {
    operand.set(part);
    setTables([&](RowTableAttr table) {
      return RowTableAttr::get(
          op->getContext(),
          ArrayRef<int64_t>(slice(table.getCode(), begin, count)));
    });
  });
  return success();
}

template <typename OpTy>
static LogicalResult snipDest(OpTy op, PatternRewriter &rewriter) {
  return snip(rewriter, op, op.getRowsAttr(), op.getDestMutable(),
              [&](auto cut) { op.setRowsAttr(cut(op.getRowsAttr())); });
}

template <typename OpTy>
static LogicalResult snipSource(OpTy op, PatternRewriter &rewriter) {
  return snip(rewriter, op, op.getRowsAttr(), op.getSourceMutable(),
              [&](auto cut) { op.setRowsAttr(cut(op.getRowsAttr())); });
}

static LogicalResult snipRanges(AddRowRangesOp op, PatternRewriter &rewriter) {
  return snip(rewriter, op, op.getBeginAttr(), op.getDestMutable(),
              [&](auto cut) {
                op.setBeginAttr(cut(op.getBeginAttr()));
                op.setEndAttr(cut(op.getEndAttr()));
              });
}

namespace {
struct SnipRowOps : public nnet3::impl::Nnet3SnipRowOpsBase<SnipRowOps> {
  void runOnCommands() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(snipDest<AddRowsOp>);
    patterns.add(snipDest<AddRowsMultiOp>);
    patterns.add(snipSource<AddToRowsMultiOp>);
    patterns.add(snipSource<CopyToRowsMultiOp>);
    patterns.add(snipRanges);
    const int64_t count = rewriteCommands(getOperation(), std::move(patterns));
    numSnipped += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }

private:
  PassCount numSnipped{"commands snipped"};
};
} // namespace
