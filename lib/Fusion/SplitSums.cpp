//===- SplitSums.cpp - One affine map for each group of terms -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedInputs.h"
#include "SumOrder.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SPLITSUMS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct SplitSums : public nnet3::impl::Nnet3SplitSumsBase<SplitSums> {
  void runOnCommands() override {
    SumOrders orders(getOperation());
    for (auto op : llvm::make_early_inc_range(
             getOperation().getBody().getOps<FusedAffineOp>()))
      split(op, orders.get(op));
  }

private:
  void split(FusedAffineOp op, const SumOrder &order);
  PassCount numSplit{"sums split"};
};
} // namespace

/// The result of each group is the initial value of the next one.
void SplitSums::split(FusedAffineOp op, const SumOrder &order) {
  std::map<SumGroup, FusedInputs> groups;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    groups[order.getGroup(op, i)].add(input, op.getRows()[i],
                                      op.getColumns()[i]);
  const FusedInputs last = std::prev(groups.end())->second;
  groups.erase(std::prev(groups.end()));
  for (const auto &[group, inputs] : groups) {
    OpBuilder builder(op);
    Value sums = createMatmul(builder, op, inputs, numRows(op.getOutput()));
    beginWith(op, last, sums);
    builder.setInsertionPointAfter(op);
    DeallocMatrixOp::create(builder, op.getLoc(), sums);
    ++numSplit;
  }
}
