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

  LogicalResult emitSums(int64_t length) {
    forEachStep(b, op.getNumSlices(), 1, [&](Value slice) {
      forEachVector(b, op.getNumColumns(), length,
                    [&](Value column, int64_t count) {
                      lanes = count;
                      emitColumns(slice, column);
                    });
    });
    return success(!hasFailed);
  }

private:
  void emitColumns(Value slice, Value column) {
    auto [begin, end] = getRows(slice);
    SmallVector<Value> sums = sumOver(
        begin, end, op.getBody().front().getTerminator()->getOperandTypes(),
        [&](Value row) { return emitTerms(row, column); });
    Type type = b.getF32Type();
    if (lanes > 1)
      type = VectorType::get({lanes}, type);
    for (Value &sum : sums)
      sum = arith::TruncFOp::create(b, type, sum);
    store(sums, slice, column);
  }
};

} // namespace

static LogicalResult lowerReduceRows(ReduceRowsOp op, TargetAttr target,
                                     PatternRewriter &rewriter) {
  LaneSums sums(op, rewriter);
  if (failed(sums.initialize()) ||
      failed(sums.emitSums(target.getVectorLength())))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addReduceRowsLowering(RewritePatternSet &patterns,
                                                TargetAttr target) {
  patterns.add<TargetPattern<ReduceRowsOp, lowerReduceRows>>(
      patterns.getContext(), target);
}
