//===- MapRowsLowering.cpp - kernel.map_rows as loops of threads ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"
#include "ThreadRows.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct MapRowsLowering : public OpRewritePattern<MapRowsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapRowsOp op,
                                PatternRewriter &rewriter) const override {
    auto function = dyn_cast<func::FuncOp>(op->getParentOp());
    ThreadRows rows(op, rewriter);
    if (!function || failed(rows.initialize()) || failed(rows.emitRows()))
      return failure();
    setThreads(function, rows.getColumns());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlir::nnet3::kernel::addMapRowsLowering(RewritePatternSet &patterns) {
  patterns.add<MapRowsLowering>(patterns.getContext());
}
