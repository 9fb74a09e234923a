//===- ApproximateMath.cpp - Polynomials for exp and tanh -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelsToLLVM/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3APPROXIMATEMATH
#include "nnet3/Conversion/KernelsToLLVM/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Splits each fma, which without an instruction would be a library call.
static void splitFma(Operation *root) {
  root->walk([](math::FmaOp op) {
    OpBuilder builder(op);
    Value product =
        arith::MulFOp::create(builder, op.getLoc(), op.getA(), op.getB());
    op.replaceAllUsesWith(
        arith::AddFOp::create(builder, op.getLoc(), product, op.getC())
            .getResult());
    op.erase();
  });
}

namespace {
struct ApproximateMath
    : public nnet3::impl::Nnet3ApproximateMathBase<ApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::ExpOp::getOperationName() ||
             name == math::LogOp::getOperationName() ||
             name == math::TanhOp::getOperationName();
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    auto target =
        getOperation()->getAttrOfType<kernel::TargetAttr>(kernel::kTargetAttr);
    if (target && !target.getFma())
      splitFma(getOperation());
  }
};
} // namespace
