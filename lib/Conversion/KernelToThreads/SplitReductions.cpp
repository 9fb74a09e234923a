//===- SplitReductions.cpp - Reductions over many rows in two steps -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Conversion/KernelToThreads/Passes.h"
#include "nnet3/Dialect/Kernel/IR/CreateView.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELSPLITREDUCTIONS
#include "nnet3/Conversion/KernelToThreads/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

struct KernelSplitReductions
    : public kernel::impl::KernelSplitReductionsBase<KernelSplitReductions> {
  void runOnOperation() override;
};

struct SplitReduction : public OpRewritePattern<ReduceRowsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceRowsOp op,
                                PatternRewriter &rewriter) const override;
};

} // namespace

/// Creates a contiguous matrix at `offset` floats after the start of `scratch`.
static Value createMatrix(OpBuilder &builder, memref::ReinterpretCastOp scratch,
                          int64_t offset, int64_t rows, int64_t columns) {
  Location loc = scratch.getLoc();
  Value begin = getValueOrCreateConstantIndexOp(
      builder, loc, scratch.getMixedOffsets().front());
  Value place = builder.createOrFold<arith::AddIOp>(
      loc, begin, arith::ConstantIndexOp::create(builder, loc, offset));
  return createView(builder, loc, scratch.getSource(), place, {rows, columns},
                    {columns, 1});
}

/// Reduces the rows of each slice, then the results of the slices and blocks.
LogicalResult SplitReduction::matchAndRewrite(ReduceRowsOp op,
                                              PatternRewriter &rewriter) const {
  auto scratch =
      op.getScratch()
          ? op.getScratch().getDefiningOp<memref::ReinterpretCastOp>()
          : memref::ReinterpretCastOp();
  if (!scratch || op.getNumSlices() > 1)
    return failure();
  const int64_t width = op.getNumColumns(), blocks = op.getBlocks();
  const int64_t columns = blocks * width, sums = op.getOutputs().size();
  const RowSlices slices(op.getNumRows(), columns);
  const int64_t size = slices.count * columns;
  if (slices.count * blocks == 1 ||
      sums * size > op.getScratch().getType().getDimSize(0))
    return failure();
  SmallVector<Value> parts, totals;
  for (int64_t i = 0; i < sums; ++i) {
    parts.push_back(
        createMatrix(rewriter, scratch, i * size, slices.count, columns));
    totals.push_back(createMatrix(rewriter, scratch, i * size,
                                  slices.count * blocks, width));
  }
  auto first = ReduceRowsOp::create(rewriter, op.getLoc(), op.getInputs(),
                                    parts, /*scratch=*/Value());
  rewriter.inlineRegionBefore(op.getBody(), first.getBody(),
                              first.getBody().end());
  RowOperands operands;
  operands.vectors = totals;
  RowEmission::reduceRows(rewriter, op.getLoc(), operands, op.getOutputs(),
                          /*scratch=*/Value(), /*blocks=*/1, op.getAccumulate(),
                          [&](RowEmission &row, Value column) {
                            return llvm::map_to_vector(
                                llvm::seq<unsigned>(sums), [&](unsigned i) {
                                  return row.loadVector(i, column);
                                });
                          });
  rewriter.eraseOp(op);
  return success();
}

void KernelSplitReductions::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  patterns.add<SplitReduction>(&getContext());
  walkAndApplyPatterns(getOperation(), std::move(patterns));
}
