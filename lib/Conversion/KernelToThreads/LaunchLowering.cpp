//===- LaunchLowering.cpp - Kernels and steps of devices ------------------===//
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
    Operation *function = op->getParentOp();
    function->setAttr("nnet3.threads", op.getThreadsAttr());
    Block &block = op.getBody().front();
    rewriter.eraseOp(block.getTerminator());
    rewriter.inlineBlockBefore(&block, op, op.getInputs());
    rewriter.eraseOp(op);
    return success();
  }
};

/// A function that does nothing; its attribute says what the runtime does.
struct ObjectivesLowering : public OpRewritePattern<ComputeObjectivesOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ComputeObjectivesOp op,
                                PatternRewriter &rewriter) const override {
    op->getParentOp()->setAttr(
        "nnet3.step", rewriter.getDictionaryAttr(rewriter.getNamedAttr(
                          "kind", rewriter.getStringAttr("objective"))));
    rewriter.eraseOp(op);
    return success();
  }
};

struct PreconditionLowering : public OpRewritePattern<PreconditionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PreconditionOp op,
                                PatternRewriter &rewriter) const override {
    auto type = op.getRows().getType();
    auto number = [&](StringRef name, int64_t value) {
      return rewriter.getNamedAttr(name, rewriter.getI64IntegerAttr(value));
    };
    SmallVector<NamedAttribute> step = {
        number("columns", type.getDimSize(1)),
        rewriter.getNamedAttr("component", op.getComponentAttr()),
        rewriter.getNamedAttr("kind", rewriter.getStringAttr("precondition")),
        number("number", op.getNumber()),
        number("rows", type.getDimSize(0)),
        number("stride", type.getStridesAndOffset().first.front()),
        rewriter.getNamedAttr("two_sided",
                              rewriter.getBoolAttr(op.getTwoSided()))};
    if (op.getPart())
      step.push_back(number("part", *op.getPart()));
    op->getParentOp()->setAttr("nnet3.step", rewriter.getDictionaryAttr(step));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::nnet3::kernel::addLaunchLowerings(RewritePatternSet &patterns) {
  patterns.add<LaunchLowering, ObjectivesLowering, PreconditionLowering>(
      patterns.getContext());
}
