//===- AddRowRangesLowering.cpp - kernel.add_row_ranges by threads --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"

#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct AddRowRangesLowering : public OpRewritePattern<kernel::AddRowRangesOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(kernel::AddRowRangesOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// The output's element at `place` and the elements at `column` of a range,
/// whose sum a thread keeps.
static void addRange(VectorEmitter &e, kernel::AddRowRangesOp op, Value first,
                     Value last, Value column, Value place) {
  OpBuilder &builder = e.getBuilder();
  const float alpha = op.getAlpha().convertToFloat();
  Value arena = op.getArena();
  Value sum = e.loop(
      first, last, op.getStep(), e.loadScalar(arena, place),
      [&](Value from, ValueRange before) -> SmallVector<Value> {
        Value x = e.loadScalar(arena, e.add(from, column));
        if (alpha != 1)
          x = arith::MulFOp::create(builder, e.getLoc(), x, e.splat(1, alpha));
        return {arith::AddFOp::create(builder, e.getLoc(), before[0], x)};
      })[0];
  e.store(sum, arena, place);
}

LogicalResult
AddRowRangesLowering::matchAndRewrite(kernel::AddRowRangesOp op,
                                      PatternRewriter &rewriter) const {
  VectorEmitter e(rewriter, op.getLoc(), /*scalars=*/true);
  auto output = RowAddresses::get(e, op, op.getOutput());
  if (failed(output))
    return failure();
  if (output->getMemory() != op.getArena())
    return op.emitOpError("expects an output in the arena");
  auto type = op.getOutput().getType();
  auto getEntry = [&](Value begin, Value row) -> Value {
    return arith::IndexCastOp::create(
        rewriter, op.getLoc(), rewriter.getIndexType(),
        e.loadScalar(op.getTable(), e.add(begin, row)));
  };
  forEachStretch(e, type.getDimSize(0), type.getDimSize(1),
                 [&](Value row, const Stretch &columns) {
                   Value to = output->getRow(e, row);
                   Value first = getEntry(op.getBegin(), row);
                   Value last = getEntry(op.getEnd(), row);
                   ifPresent(e, first, [&] {
                     e.parallel(columns.begin, columns.end, [&](ValueRange at) {
                       addRange(e, op, first, last, at[0], e.add(to, at[0]));
                     });
                   });
                 });
  setThreads(cast<func::FuncOp>(op->getParentOp()), type.getDimSize(1));
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addAddRowRangesLowering(RewritePatternSet &patterns) {
  patterns.add<AddRowRangesLowering>(patterns.getContext());
}
