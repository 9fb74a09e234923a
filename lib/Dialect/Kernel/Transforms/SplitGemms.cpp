//===- SplitGemms.cpp - Matmuls of fewer columns of rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ViewExtent.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELSPLITGEMMS
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Whether the output may hold sums before the epilogue has read its inputs.
static bool canKeepSums(GemmOp op) {
  auto output = ViewExtent::get(op.getOutput());
  return llvm::all_of(op.getEpilogueInputs(), [&](Value input) {
    auto extent = ViewExtent::get(input);
    return output && extent && extent->isApartFrom(*output);
  });
}

namespace {
/// Multiplies the inputs one after the other: the output of a matmul is what
/// the sums of the next one begin with.
struct SplitGemm : public OpRewritePattern<GemmOp> {
  SplitGemm(MLIRContext *context, int64_t bytes)
      : OpRewritePattern(context), bytes(bytes) {}

  LogicalResult matchAndRewrite(GemmOp op,
                                PatternRewriter &rewriter) const override {
    const unsigned count = countInputs(op);
    if (count == op.getInputs().size() || op.getPrecision() != Precision::F32 ||
        op.getOutput().getType().getDimSize(0) <
            2 * int64_t(op.getTileRows()) ||
        !canKeepSums(op))
      return failure();
    auto first = cast<GemmOp>(rewriter.clone(*op));
    first.getInputsMutable().assign(op.getInputs().take_front(count));
    first.setPanelRows(op.getPanelRows().take_front(count));
    first.getEpilogueInputsMutable().clear();
    Block *body =
        rewriter.createBlock(&first.getEpilogue(), first.getEpilogue().begin(),
                             {rewriter.getF32Type()}, {op.getLoc()});
    kernel::YieldOp::create(rewriter, op.getLoc(), body->getArguments());
    rewriter.eraseBlock(&first.getEpilogue().back());
    rewriter.modifyOpInPlace(op, [&] {
      op.setPanelRows(
          SmallVector<int64_t>(op.getPanelRows().drop_front(count)));
      op.getInputsMutable().assign(
          SmallVector<Value>(op.getInputs().drop_front(count)));
      op.getBiasMutable().clear();
      op.getInitMutable().assign(op.getOutput());
    });
    return success();
  }

private:
  /// How many inputs have weights that stay in the cache while all rows are
  /// multiplied with a panel. All of them if those of one are too many: it
  /// would have to be split, too.
  unsigned countInputs(GemmOp op) const {
    const int64_t width = op.getWeights().getType().getDimSize(2);
    const int64_t limit = bytes / (width * int64_t(sizeof(float)));
    int64_t depth = 0;
    unsigned count = 0;
    for (Value input : op.getInputs()) {
      const int64_t columns = getShape(input.getType()).second;
      if (columns > limit)
        return op.getInputs().size();
      depth += columns;
      count += depth <= limit;
    }
    return count;
  }

  int64_t bytes;
};

struct SplitGemms : public kernel::impl::KernelSplitGemmsBase<SplitGemms> {
  using Base::Base;

  void runOnOperation() override {
    int64_t limit = bytes;
    if (auto target = getOperation()
                          ->getParentOfType<ModuleOp>()
                          ->getAttrOfType<TargetAttr>(kTargetAttr);
        limit == 0 && target)
      limit = target.getL2Bytes() / 4;
    if (limit == 0)
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitGemm>(&getContext(), limit);
    SmallVector<Operation *> gemms;
    getOperation().walk([&](GemmOp op) { gemms.push_back(op); });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps)
        .enableFolding(false)
        .enableConstantCSE(false);
    (void)applyOpPatternsGreedily(gemms, std::move(patterns), config);
  }
};
} // namespace
