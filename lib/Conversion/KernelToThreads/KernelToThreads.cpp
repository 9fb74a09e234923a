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

/// Returns the operations in `function` that are to be lowered. The runtime
/// executes matmuls and training steps.
static SmallVector<Operation *> findKernels(func::FuncOp function) {
  SmallVector<Operation *> kernels;
  function.walk([&](Operation *op) {
    if (op->hasTrait<Outlined>() &&
        !isa<AllreduceOp, ComputeObjectivesOp, MatmulOp, PreconditionOp,
             SumGradientOp>(op))
      kernels.push_back(op);
  });
  return kernels;
}

static LogicalResult checkKernel(Operation *op, func::FuncOp function) {
  if (op->getParentOp() != function)
    return op->emitOpError("expects to be in a function, not in a loop");
  if (!isa<GemvOp, LaunchOp, MapOp, MapRowsOp, ReduceRowsOp>(op))
    return op->emitOpError("has no lowering for devices");
  return success();
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
    const SmallVector<Operation *> kernels = findKernels(function);
    if (kernels.empty())
      continue;
    for (Operation *op : kernels)
      if (failed(checkKernel(op, function)))
        return signalPassFailure();
    walkAndApplyPatterns(function, frozen);
    if (!findKernels(function).empty())
      return signalPassFailure();
    (void)runRegionDCE(rewriter, function->getRegions());
  }
}
