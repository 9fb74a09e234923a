//===- ReplaceRowOps.cpp - Matrix commands for consecutive rows -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/RewriteCommands.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REPLACEROWOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

/// Replaces a command on rows by one on the matrix of these rows.
template <typename OpTy, typename MatrixOp>
static LogicalResult replace(OpTy op, PatternRewriter &rewriter) {
  ArrayRef<int64_t> code = op.getRows().getCode();
  int64_t size = op.getRows().size(), begin = getLeadingNone(code);
  if (begin == size)
    return failure();
  int64_t count = size - begin - getTrailingNone(code);
  auto rows = getProgression(slice(code, begin, count));
  if (!rows || rows->step != 1)
    return failure();
  Value dest = sliceRows(rewriter, op.getLoc(), op.getDest(), begin, count);
  Value source =
      sliceRows(rewriter, op.getLoc(), op.getSource(), rows->start, count);
  MatrixOp::create(rewriter, op.getLoc(), source, dest, op.getAlphaAttr());
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct ReplaceRowOps
    : public nnet3::impl::Nnet3ReplaceRowOpsBase<ReplaceRowOps> {
  void runOnCommands() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(replace<CopyRowsOp, MatrixCopyOp>);
    patterns.add(replace<AddRowsOp, MatrixAddOp>);
    const int64_t count = rewriteCommands(getOperation(), std::move(patterns));
    numReplaced += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }

private:
  PassCount numReplaced{"commands replaced"};
};
} // namespace
