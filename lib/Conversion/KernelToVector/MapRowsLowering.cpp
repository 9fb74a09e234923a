//===- MapRowsLowering.cpp - kernel.map_rows as loops over vectors --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneRows.h"
#include "Lowerings.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct MapRowsLowering : public OpRewritePattern<MapRowsOp> {
  MapRowsLowering(MLIRContext *context, TargetAttr target)
      : OpRewritePattern(context), target(target) {}
  LogicalResult matchAndRewrite(MapRowsOp op,
                                PatternRewriter &rewriter) const override {
    LaneRows rows(op, rewriter, target);
    if (failed(rows.initialize()) || failed(rows.emitRows()))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  TargetAttr target;
};
} // namespace

void mlir::nnet3::kernel::addMapRowsLowering(RewritePatternSet &patterns,
                                             TargetAttr target) {
  patterns.add<MapRowsLowering>(patterns.getContext(), target);
}
