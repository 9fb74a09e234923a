//===- KernelToThreads.cpp - Kernel operations as loops of threads --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"

#include "nnet3/Conversion/KernelToThreads/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELTOTHREADS
#include "nnet3/Conversion/KernelToThreads/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct KernelToThreads
    : public kernel::impl::KernelToThreadsBase<KernelToThreads> {
  void runOnOperation() override;
};
} // namespace

/// Returns an operation in `function` that is to be lowered; null if there is
/// none. The runtime executes matmuls and training steps.
static Operation *findKernel(func::FuncOp function) {
  Operation *found = nullptr;
  function.walk([&](Operation *op) {
    if (op->hasTrait<Outlined>() &&
        !isa<AllreduceOp, ComputeObjectivesOp, MatmulOp, PreconditionOp>(op))
      found = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

void KernelToThreads::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  addGemvLowering(patterns);
  addLaunchLowering(patterns);
  addMapLowering(patterns);
  addMapRowsLowering(patterns);
  addReduceRowsLowering(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  IRRewriter rewriter(&getContext());
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    Operation *op = findKernel(function);
    if (!op)
      continue;
    if (op->getParentOp() != function) {
      op->emitOpError("expects to be in a function, not in a loop");
      return signalPassFailure();
    }
    if (!isa<GemvOp, LaunchOp, MapOp, MapRowsOp, ReduceRowsOp>(op)) {
      op->emitOpError("has no lowering for devices");
      return signalPassFailure();
    }
    walkAndApplyPatterns(function, frozen);
    if (findKernel(function))
      return signalPassFailure();
    (void)runRegionDCE(rewriter, function->getRegions());
  }
}
