//===- ReduceRowsLowering.cpp - kernel.reduce_rows as loops of threads ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"

#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"
#include "nnet3/Conversion/KernelToVector/RowLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

/// A block of threads reduces a tile of the columns of a slice.
class ThreadSums : public SumCode {
public:
  using SumCode::SumCode;

  LogicalResult emitSums() {
    const int64_t tiles = llvm::divideCeil(op.getNumColumns(), kColumnTile);
    parallelFor(b, tiles * op.getNumSlices(),
                [&](ValueRange at) { emitTile(at[0], tiles); });
    return success(!hasFailed);
  }

private:
  void emitTile(Value item, int64_t tiles) {
    Value slice = arith::ConstantIndexOp::create(b, 0), tile = item;
    if (op.getNumSlices() > 1) {
      slice = divIndex(b, item, tiles);
      tile = remIndex(b, item, tiles);
    }
    auto [begin, end] = getRows(slice);
    ScalarArithmetic a(b, b.getLoc());
    emitTileSums(
        a, {begin, end, tile, op.getNumColumns()}, op.getOutputs().size(),
        /*isDouble=*/false,
        [&](Value row, Value column) { return emitTerms(row, column); },
        [&](Value column, ValueRange sums) { store(sums, slice, column); });
  }
};

} // namespace

static LogicalResult lowerReduceRows(ReduceRowsOp op,
                                     PatternRewriter &rewriter) {
  ThreadSums sums(op, rewriter);
  if (failed(sums.initialize()) || failed(sums.emitSums()))
    return failure();
  setThreads(cast<func::FuncOp>(op->getParentOp()), kTileThreads);
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addReduceRowsLowering(RewritePatternSet &patterns) {
  patterns.add(lowerReduceRows);
}
