//===- AddRowRangesLowering.cpp - kernel.add_row_ranges as loops ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct AddRowRangesLowering : public OpRewritePattern<kernel::AddRowRangesOp> {
  AddRowRangesLowering(MLIRContext *context, TargetAttr target)
      : OpRewritePattern(context), target(target) {}
  LogicalResult matchAndRewrite(kernel::AddRowRangesOp op,
                                PatternRewriter &rewriter) const override;

private:
  TargetAttr target;
};
} // namespace

LogicalResult
AddRowRangesLowering::matchAndRewrite(kernel::AddRowRangesOp op,
                                      PatternRewriter &rewriter) const {
  Location loc = op.getLoc();
  VectorEmitter e(rewriter, loc);
  auto output = RowAddresses::get(e, op, op.getOutput());
  if (failed(output))
    return failure();
  const float alpha = op.getAlpha().convertToFloat();
  Value arena = op.getArena();
  auto type = op.getOutput().getType();
  auto getEntry = [&](Value begin, Value row) -> Value {
    return arith::IndexCastOp::create(
        rewriter, loc, rewriter.getIndexType(),
        e.loadScalar(op.getTable(), e.add(begin, row)));
  };
  auto addRow = [&](Value from, Value to) {
    forEachVector(e, type.getDimSize(1), target.getVectorLength(),
                  [&](Value column, int64_t length) {
                    Value x = e.load(length, arena, e.add(from, column));
                    if (alpha != 1)
                      x = arith::MulFOp::create(rewriter, loc, x,
                                                e.splat(length, alpha));
                    Value place = e.add(to, column);
                    Value y = e.load(length, output->getMemory(), place);
                    e.store(arith::AddFOp::create(rewriter, loc, y, x),
                            output->getMemory(), place);
                  });
  };
  e.forEach(type.getDimSize(0), 1, [&](Value row) {
    Value to = output->getRow(e, row);
    Value first = getEntry(op.getBegin(), row);
    Value last = getEntry(op.getEnd(), row);
    ifPresent(e, first, [&] {
      e.loop(first, last, op.getStep(), [&](Value from) { addRow(from, to); });
    });
  });
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addAddRowRangesLowering(RewritePatternSet &patterns,
                                                  TargetAttr target) {
  patterns.add<AddRowRangesLowering>(patterns.getContext(), target);
}
