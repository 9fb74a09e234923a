//===- OrderSums.cpp - Order the terms of affine maps ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedInputs.h"
#include "SumOrder.h"
#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3ORDERSUMS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// A slice of the columns of an input.
struct Part {
  MatrixWindow window;
  Attribute rows;
  int64_t column; ///< of the weights
  SumGroup group;

  friend bool operator<(const Part &a, const Part &b) {
    return std::pair(a.group, a.column) < std::pair(b.group, b.column);
  }
};

struct OrderSums : public nnet3::impl::Nnet3OrderSumsBase<OrderSums> {
  using Base::Base;
  void runOnCommands() override {
    SumOrders orders(getOperation());
    for (auto op : getOperation().getBody().getOps<FusedAffineOp>())
      sort(op, orders.get(op));
  }

private:
  void sort(FusedAffineOp op, const SumOrder &order);
  PassCount numOrdered{"sums put in order"};
};

} // namespace

/// Splits the inputs of `op` where terms start.
static SmallVector<Part> getParts(FusedAffineOp op, const SumOrder &order) {
  SmallVector<Part> parts;
  for (auto [input, rows, column] :
       llvm::zip_equal(op.getInputs(), op.getRows(), op.getColumns())) {
    const MatrixWindow whole = MatrixWindow::get(input);
    for (int64_t first = 0; first < whole.cols;) {
      MatrixWindow part = whole;
      part.col += first;
      part.cols = order.countTogether(column + first, whole.cols - first);
      parts.push_back(
          {part, rows, column + first, order.getGroup(column + first)});
      first += part.cols;
    }
  }
  return parts;
}

void OrderSums::sort(FusedAffineOp op, const SumOrder &order) {
  SmallVector<Part> parts = getParts(op, order);
  if (llvm::is_sorted(parts) && (!cut || parts.size() == op.getInputs().size()))
    return;
  llvm::sort(parts);
  OpBuilder builder(op);
  FusedInputs inputs;
  for (const Part &part : parts)
    inputs.add(createView(builder, op.getLoc(), part.window), part.rows,
               part.column);
  inputs.assignTo(op);
  ++numOrdered;
}
