//===- ReplaceRowOps.cpp - Matrix commands for consecutive rows -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REPLACEROWOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

namespace {
struct ReplaceRowOps
    : public nnet3::impl::Nnet3ReplaceRowOpsBase<ReplaceRowOps> {
  void runOnOperation() override {
    changed = false;
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front())) {
      if (auto copy = dyn_cast<CopyRowsOp>(op))
        replace<MatrixCopyOp>(copy);
      else if (auto add = dyn_cast<AddRowsOp>(op))
        replace<MatrixAddOp>(add);
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  template <typename MatrixOp, typename OpTy> void replace(OpTy op) {
    ArrayRef<int64_t> code = op.getRows().getCode();
    int64_t size = op.getRows().size(), begin = getLeadingNone(code);
    if (begin == size)
      return;
    int64_t count = size - begin - getTrailingNone(code);
    auto rows = getProgression(slice(code, begin, count));
    if (!rows || rows->step != 1)
      return;
    OpBuilder builder(op);
    Value dest = sliceRows(builder, op.getLoc(), op.getDest(), begin, count);
    Value source =
        sliceRows(builder, op.getLoc(), op.getSource(), rows->start, count);
    MatrixOp::create(builder, op.getLoc(), source, dest, op.getAlphaAttr());
    op.erase();
    ++numReplaced;
    changed = true;
  }

  bool changed = false;
  PassCount numReplaced{"commands replaced"};
};
} // namespace
