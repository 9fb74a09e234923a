//===- CompressMemory.cpp - Compress for the backward pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.11.
//
//===----------------------------------------------------------------------===//

#include "Checks/CheckComputation.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3COMPRESSMEMORY
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// How a matrix is compressed, its last use before the marker and its first use
/// after it.
struct Plan {
  Value matrix;
  Operation *lastForward, *firstBackward;
  bool onlySigns;
};
} // namespace

/// A rectifier's derivative depends only on the signs of its output.
static bool needsOnlySigns(Operation *command, ComponentTable &components) {
  auto backprop = dyn_cast<BackpropOp>(command);
  return backprop && isa_and_nonnull<RectifiedLinearOp>(
                         components.find(backprop.getComponent()));
}

/// Returns a plan for a matrix that is used on both sides of the marker; else
/// nothing.
static std::optional<Plan> makePlan(Value matrix, int32_t marker,
                                    CommandAnalysis &analysis) {
  const MatrixAccesses &accesses =
      analysis.getMatrixAccesses(analysis.getMatrixNumber(matrix));
  const auto *backward = llvm::find_if(
      accesses.accesses, [&](Access a) { return a.command > marker; });
  if (accesses.isOutput || backward == accesses.accesses.begin() ||
      backward == accesses.accesses.end())
    return std::nullopt;
  bool isLast = std::next(backward) == accesses.accesses.end();
  Operation *firstBackward = analysis.getCommand(backward->command);
  return Plan{matrix, analysis.getCommand(std::prev(backward)->command),
              firstBackward,
              isLast && backward->kind == Access::Read &&
                  needsOnlySigns(firstBackward, analysis.getComponents())};
}

/// Replaces the uses of `plan.matrix` after its compression by `decompressed`.
static void replaceUses(const Plan &plan, Operation *compress,
                        Value decompressed) {
  auto isBehind = [&](OpOperand &use) {
    return use.getOwner() != compress &&
           compress->isBeforeInBlock(use.getOwner());
  };
  OpBuilder builder(decompressed.getContext());
  builder.setInsertionPointAfterValue(decompressed);
  for (Operation *user : llvm::make_early_inc_range(plan.matrix.getUsers())) {
    auto view = dyn_cast<SubMatrixOp>(user);
    if (!view || llvm::none_of(view->getUses(), isBehind))
      continue;
    MatrixWindow window = MatrixWindow::get(view);
    window.matrix = decompressed;
    view.getResult().replaceUsesWithIf(
        createView(builder, view.getLoc(), window), isBehind);
    if (view.use_empty())
      view.erase();
  }
  Value(plan.matrix).replaceUsesWithIf(decompressed, isBehind);
}

static void compress(const Plan &plan) {
  OpBuilder builder(plan.matrix.getContext());
  builder.setInsertionPointAfter(plan.lastForward);
  auto matrix = cast<MemRefType>(plan.matrix.getType());
  Type element = builder.getIntegerType(plan.onlySigns ? 8 : 16,
                                        /*isSigned=*/!plan.onlySigns);
  Location loc = plan.matrix.getLoc();
  auto compress = CompressMatrixOp::create(
      builder, loc,
      CompressedType::get(builder.getContext(), matrix.getDimSize(0),
                          matrix.getDimSize(1), element),
      plan.matrix, builder.getF32FloatAttr(plan.onlySigns ? 0 : 10),
      builder.getUnitAttr());
  builder.setInsertionPoint(plan.firstBackward);
  auto decompress =
      DecompressMatrixOp::create(builder, loc, matrix, compress.getResult());
  decompress->setDiscardableAttrs(
      plan.matrix.getDefiningOp()->getDiscardableAttrDictionary());
  replaceUses(plan, compress, decompress.getResult());
}

namespace {
struct CompressMemory
    : public nnet3::impl::Nnet3CompressMemoryBase<CompressMemory> {
  using Base::Base;

  void runOnCommands() override {
    if (level == 0 || !mayCompress())
      return markAllAnalysesPreserved();
    bool changed = normalizeViews(getOperation());
    SmallVector<Plan> plans = makePlans();
    for (const Plan &plan : plans) {
      compress(plan);
      auto type = cast<MemRefType>(plan.matrix.getType());
      ++numMatrices;
      numBytes += type.getNumElements() * (plan.onlySigns ? 3 : 2);
    }
    if (!changed && plans.empty())
      markAllAnalysesPreserved();
  }

private:
  /// Whether a command after the last marker may use a compressed matrix.
  /// Otherwise the pass has nothing to do and needs no analysis.
  bool mayCompress() {
    ComponentTable components(getOperation());
    for (Operation &op : llvm::reverse(getOperation().getBody().front())) {
      if (isa<NoOperationMarkerOp>(op))
        return false;
      if (level >= 2 ? !isa<DeallocMatrixOp, SubMatrixOp>(op)
                     : needsOnlySigns(&op, components))
        return true;
    }
    return false;
  }

  SmallVector<Plan> makePlans() {
    auto &analysis = getAnalysis<CommandAnalysis>();
    SmallVector<Plan> plans;
    int32_t marker = getMarker(analysis);
    if (marker < 0 || !getOperation().getBody().getOps<LoopOp>().empty())
      return plans;
    for (int32_t m = 0; m < analysis.getNumMatrices(); ++m) {
      std::optional<Plan> plan =
          makePlan(analysis.getMatrix(m).matrix, marker, analysis);
      if (plan && (plan->onlySigns || level >= 2))
        plans.push_back(*plan);
    }
    return plans;
  }

  PassCount numMatrices{"matrices compressed"};
  PassCount numBytes{"bytes saved by compression"};
};
} // namespace
