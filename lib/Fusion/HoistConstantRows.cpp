//===- HoistConstantRows.cpp - Hoist matmuls of repeated rows -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedInputs.h"
#include "SumOrder.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3HOISTCONSTANTROWS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the period with which the rows of a table repeat, at least twice; 0
/// if they do not.
static int64_t getPeriod(ArrayRef<RowRef> rows) {
  if (rows.empty())
    return 0;
  const int64_t period =
      llvm::find(rows.drop_front(), rows.front()) - rows.begin();
  if (2 * period > int64_t(rows.size()) || rows.size() % period != 0)
    return 0;
  return rows.drop_front(period) == rows.drop_back(period) ? period : 0;
}

namespace {
struct HoistConstantRows
    : public nnet3::impl::Nnet3HoistConstantRowsBase<HoistConstantRows> {
  void runOnCommands() override {
    SumOrders orders(getOperation());
    for (auto op : llvm::make_early_inc_range(
             getOperation().getBody().getOps<FusedAffineOp>()))
      if (!op.getInit())
        hoist(op, orders.get(op));
  }

private:
  void hoist(FusedAffineOp op, const SumOrder &order);
  PassCount numInputs{"inputs replaced"};
};
} // namespace

void HoistConstantRows::hoist(FusedAffineOp op, const SumOrder &order) {
  SmallVector<SmallVector<RowRef>> tables;
  SmallVector<int64_t> periods;
  for (auto rows : op.getRows().getAsRange<RowTableAttr>()) {
    tables.push_back(rows.expand());
    periods.push_back(getPeriod(tables.back()));
  }
  const int64_t numRows = *llvm::max_element(periods);
  // Hoists whole groups of terms only, starting with the first group, to keep
  // the order of additions.
  SumGroup firstOther = SumGroup::Recurrent;
  for (unsigned i = 0; i < tables.size(); ++i)
    if (periods[i] == 0 || numRows % periods[i] != 0)
      firstOther = std::min(firstOther, order.getGroup(op, i));
  FusedInputs shared, others;
  for (unsigned i = 0; i < tables.size(); ++i) {
    Value input = op.getInputs()[i];
    const int64_t column = op.getColumns()[i];
    if (order.getGroup(op, i) < firstOther)
      shared.add(input,
                 RowTableAttr::get(op.getContext(),
                                   ArrayRef(tables[i]).take_front(numRows)),
                 column);
    else
      others.add(input, op.getRows()[i], column);
  }
  if (shared.empty() || others.empty())
    return;
  numInputs += shared.size();
  OpBuilder builder(op);
  Value rows = createMatmul(builder, op, shared, numRows);
  beginWith(op, others, rows);
  builder.setInsertionPointAfter(op);
  DeallocMatrixOp::create(builder, op.getLoc(), rows);
}
