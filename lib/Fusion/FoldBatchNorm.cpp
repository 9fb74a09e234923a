//===- FoldBatchNorm.cpp - Fold batch norm into the weights ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Fusion/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3FOLDBATCHNORM
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct FoldBatchNorm
    : public nnet3::impl::Nnet3FoldBatchNormBase<FoldBatchNorm> {
  void runOnCommands() override;

private:
  PassCount numFolded{"components folded"};
};
} // namespace

/// Returns the component that can be folded into the weights of `op`, or null.
static SymbolRefAttr getFoldable(FusedAffineOp op, ComponentTable &components) {
  if (op.getInit() || op.getFoldedAttr() || op.getEpilogueSteps().empty())
    return {};
  auto name = cast<SymbolRefAttr>(op.getEpilogueSteps().front());
  auto step = dyn_cast<ElementwiseKernelInterface>(
      components.find(name).getOperation());
  return step && step.isScaleAndOffset() ? name : SymbolRefAttr();
}

static void fold(FusedAffineOp op, SymbolRefAttr component) {
  op.setFoldedAttr(component);
  op.setBias(true);
  auto rest = op.getEpilogueSteps().drop_front();
  op.setEpilogueAttr(rest.empty() ? ArrayAttr()
                                  : ArrayAttr::get(op.getContext(), rest));
}

void FoldBatchNorm::runOnCommands() {
  ComponentTable components(getOperation());
  // Weights used with and without folding would be stored twice.
  llvm::MapVector<Attribute, SmallVector<FusedAffineOp>> maps;
  for (auto op : getOperation().getBody().getOps<FusedAffineOp>())
    maps[op.getComponent()].push_back(op);
  for (auto &[component, ops] : maps) {
    SymbolRefAttr folded = getFoldable(ops.front(), components);
    if (!folded || !llvm::all_of(ops, [&](FusedAffineOp op) {
          return getFoldable(op, components) == folded;
        }))
      continue;
    for (FusedAffineOp op : ops)
      fold(op, folded);
    numFolded += ops.size();
  }
}
