//===- ReduceRowsLowering.cpp - kernel.reduce_rows as loops over vectors --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"
#include "nnet3/Conversion/KernelToVector/RowLowering.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

/// Neighbouring columns are the lanes of a vector.
class LaneSums : public SumCode {
public:
  using SumCode::SumCode;

  LogicalResult emitSums(TargetAttr target) {
    Block &block = op.getBody().front();
    const bool scales = canScale(block, block.getArgument(0));
    const int64_t slices = op.getNumSlices(), threads = target.getThreads();
    // Threads share the slices, or the columns of a single slice.
    forEachApart(b, slices > 1 ? threads : 1, slices, 1, [&](Value slice) {
      auto emit = [&](Value column, Lanes columns) {
        lanes = columns;
        emitColumns(slice, column);
      };
      if (scales && target.isScalable())
        forEachVector(b, op.getNumColumns(), target, emit);
      else
        forEachVector(b, op.getNumColumns(),
                      target.getVectorLength() * getVectorsAtOnce(target), emit,
                      slices > 1 ? 1 : threads);
    });
    return success(!hasFailed);
  }

private:
  /// Returns how many vectors of columns are added together. The rows of a
  /// matrix are often a page or more apart: one line of each row at a time
  /// takes long to find, and nothing fetches the next one. A sum of simple
  /// terms needs two registers, and two for its terms.
  int64_t getVectorsAtOnce(TargetAttr target) {
    Block &block = op.getBody().front();
    if (op.getOutputs().size() > 1 || block.getOperations().size() > 3)
      return 1;
    int64_t count = target.getVectorRegisters() / 8;
    while (count > 1 &&
           op.getNumColumns() % (count * target.getVectorLength()) != 0)
      count /= 2;
    return std::max<int64_t>(1, count);
  }

  void emitColumns(Value slice, Value column) {
    auto [begin, end] = getRows(slice);
    SmallVector<Value> sums = sumOver(
        begin, end, op.getBody().front().getTerminator()->getOperandTypes(),
        [&](Value row) { return emitTerms(row, column); });
    Type type = inLanes(b.getF32Type());
    for (Value &sum : sums)
      sum = arith::TruncFOp::create(b, type, sum);
    store(sums, slice, column);
  }
};

} // namespace

static LogicalResult lowerReduceRows(ReduceRowsOp op, TargetAttr target,
                                     PatternRewriter &rewriter) {
  LaneSums sums(op, rewriter);
  if (failed(sums.initialize()) || failed(sums.emitSums(target)))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addReduceRowsLowering(RewritePatternSet &patterns,
                                                TargetAttr target) {
  patterns.add<TargetPattern<ReduceRowsOp, lowerReduceRows>>(
      patterns.getContext(), target);
}
