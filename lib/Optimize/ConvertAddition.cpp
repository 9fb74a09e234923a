//===- ConvertAddition.cpp - Convert additions to zeros to copies ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Optimize/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3CONVERTADDITION
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Creates the copy that is equivalent to the addition `op` if its destination
/// is zero; null if there is none.
static Operation *createCopy(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  return TypeSwitch<Operation *, Operation *>(op)
      .Case([&](MatrixAddOp add) {
        return MatrixCopyOp::create(builder, loc, add.getSource(),
                                    add.getDest(), add.getAlphaAttr());
      })
      .Case([&](AddRowsOp add) {
        return CopyRowsOp::create(builder, loc, add.getSource(), add.getRows(),
                                  add.getDest(), add.getAlphaAttr());
      })
      .Case([&](AddRowsMultiOp add) {
        return CopyRowsMultiOp::create(builder, loc, add.getSources(),
                                       add.getRows(), add.getDest(),
                                       add.getAlphaAttr());
      })
      .Case([&](AddToRowsMultiOp add) -> Operation * {
        if (!add.getAlpha().isExactlyValue(1.0))
          return nullptr;
        return CopyToRowsMultiOp::create(builder, loc, add.getSource(),
                                         add.getRows(), add.getDests());
      })
      .Default([](Operation *) { return nullptr; });
}

namespace {
struct ConvertAddition
    : public nnet3::impl::Nnet3ConvertAdditionBase<ConvertAddition> {
  void runOnCommands() override {
    auto &analysis = getAnalysis<CommandAnalysis>();
    bool changed = false;
    for (int32_t c = 0; c < analysis.getNumCommands(); ++c) {
      Operation *op = analysis.getCommand(c);
      if (!isa<MatrixAddOp, AddRowsOp, AddRowsMultiOp, AddToRowsMultiOp>(op))
        continue;
      auto isFirst = [&](const OperandAccess &access) {
        return access.kind == Access::Read ||
               analysis.getFirstNontrivialAccess(access.value) == c;
      };
      if (!llvm::all_of(getOperandAccesses(op, analysis.getComponents()),
                        isFirst))
        continue;
      OpBuilder builder(op);
      if (!createCopy(builder, op))
        continue;
      op->erase();
      ++numConverted;
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  PassCount numConverted{"additions converted"};
};
} // namespace
