//===- SnipRowOps.cpp - Cut off rows that a command does not change -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SNIPROWOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

namespace {
struct SnipRowOps : public nnet3::impl::Nnet3SnipRowOpsBase<SnipRowOps> {
  void runOnOperation() override {
    changed = false;
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front()))
      TypeSwitch<Operation *>(&op)
          .Case<AddRowsOp, AddRowsMultiOp>([&](auto add) {
            snip(add, add.getRowsAttr(), add.getDestMutable(), [&](auto table) {
              add.setRowsAttr(table(add.getRowsAttr()));
            });
          })
          .Case<AddToRowsMultiOp, CopyToRowsMultiOp>([&](auto scatter) {
            snip(scatter, scatter.getRowsAttr(), scatter.getSourceMutable(),
                 [&](auto table) {
                   scatter.setRowsAttr(table(scatter.getRowsAttr()));
                 });
          })
          .Case([&](AddRowRangesOp add) {
            snip(add, add.getBeginAttr(), add.getDestMutable(),
                 [&](auto table) {
                   add.setBeginAttr(table(add.getBeginAttr()));
                   add.setEndAttr(table(add.getEndAttr()));
                 });
          });
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  /// Cuts `operand`, which has a row for each entry of `rows`; `setTables` is
  /// given the function that cuts a table. A command without any row goes.
  template <typename SetTables>
  void snip(Operation *op, RowTableAttr rows, OpOperand &operand,
            SetTables setTables) {
    int64_t size = rows.size(), begin = getLeadingNone(rows.getCode());
    if (begin == size) {
      op->erase();
      ++numSnipped;
      changed = true;
      return;
    }
    int64_t count = size - begin - getTrailingNone(rows.getCode());
    if (count == size)
      return;
    OpBuilder builder(op);
    operand.set(sliceRows(builder, op->getLoc(), operand.get(), begin, count));
    setTables([&](RowTableAttr table) {
      return RowTableAttr::get(
          &getContext(),
          ArrayRef<int64_t>(slice(table.getCode(), begin, count)));
    });
    ++numSnipped;
    changed = true;
  }

  bool changed = false;
  PassCount numSnipped{"commands snipped"};
};
} // namespace
