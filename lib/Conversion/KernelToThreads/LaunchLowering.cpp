//===- LaunchLowering.cpp - Code of kernels of devices --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

struct LaunchLowering : public OpRewritePattern<LaunchOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LaunchOp op,
                                PatternRewriter &rewriter) const override {
    op->getParentOp()->setAttr(
        BlockAttr::name,
        rewriter.getAttr<BlockAttr>(op.getThreads(), /*warps=*/false,
                                    /*form=*/FormAttr()));
    Block &block = op.getBody().front();
    rewriter.eraseOp(block.getTerminator());
    rewriter.inlineBlockBefore(&block, op, op.getInputs());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::nnet3::kernel::addLaunchLowering(RewritePatternSet &patterns) {
  patterns.add<LaunchLowering>(patterns.getContext());
}
