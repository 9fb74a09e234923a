//===- KernelToVector.cpp - Kernel operations as vector code --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchLanes.h"
#include "Lowerings.h"

#include "nnet3/Conversion/KernelToVector/InlineLaunch.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELTOVECTOR
#include "nnet3/Conversion/KernelToVector/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct KernelToVector
    : public kernel::impl::KernelToVectorBase<KernelToVector> {
  void runOnOperation() override;
};
} // namespace

static bool hasKernels(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return op->hasTrait<Outlined>() ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Fails with an error at an operation that only devices support.
static LogicalResult checkKernels(func::FuncOp function) {
  WalkResult walked = function.walk([](Operation *op) {
    if (!op->hasTrait<Outlined>() ||
        isa<GemmOp, LaunchOp, MapOp, MapRowsOp, PackOp, ReduceRowsOp,
            RunComponentOp>(op))
      return WalkResult::advance();
    op->emitOpError("has no lowering for CPUs");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// Splits each fused multiply-add into a multiplication and an addition.
static void splitFma(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isa<math::FmaOp, vector::FMAOp>(op))
      return;
    OpBuilder builder(op);
    Value product = arith::MulFOp::create(builder, op->getLoc(),
                                          op->getOperand(0), op->getOperand(1));
    op->replaceAllUsesWith(arith::AddFOp::create(builder, op->getLoc(), product,
                                                 op->getOperand(2)));
    op->erase();
  });
}

void KernelToVector::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> functions;
  llvm::copy_if(module.getOps<func::FuncOp>(), std::back_inserter(functions),
                hasKernels);
  if (functions.empty())
    return;
  auto target = module->getAttrOfType<TargetAttr>(kTargetAttr);
  if (!target) {
    emitError(module.getLoc())
        << "expects '" << kTargetAttr << "', the target of the kernels";
    return signalPassFailure();
  }
  RewritePatternSet patterns(&getContext());
  addGemmLowering(patterns, target);
  // The threads of a block run one after the other.
  patterns.add(inlineLaunch);
  addMapLowering(patterns, target);
  addMapRowsLowering(patterns, target);
  addPackLowering(patterns, target);
  addReduceRowsLowering(patterns, target);
  addRunComponentLowering(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  IRRewriter rewriter(&getContext());
  for (func::FuncOp function : functions) {
    if (failed(checkKernels(function)))
      return signalPassFailure();
    walkAndApplyPatterns(function, frozen);
    if (hasKernels(function))
      return signalPassFailure();
    vectorizeThreads(function, target);
    if (!target.getFma())
      splitFma(function);
    (void)runRegionDCE(rewriter, function->getRegions());
  }
}
