//===- Lowerings.h - One lowering per kernel operation ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_LOWERINGS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_LOWERINGS_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::nnet3::kernel {

/// A pattern from a lowering function that takes the target.
template <typename OpTy,
          LogicalResult lower(OpTy, TargetAttr, PatternRewriter &)>
struct TargetPattern : public OpRewritePattern<OpTy> {
  TargetPattern(MLIRContext *context, TargetAttr target)
      : OpRewritePattern<OpTy>(context), target(target) {}
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    return lower(op, target, rewriter);
  }

private:
  TargetAttr target;
};

void addGemmLowering(RewritePatternSet &patterns, TargetAttr target);
void addMapLowering(RewritePatternSet &patterns, TargetAttr target);
void addMapRowsLowering(RewritePatternSet &patterns, TargetAttr target);
void addPackLowering(RewritePatternSet &patterns, TargetAttr target);
void addReduceRowsLowering(RewritePatternSet &patterns, TargetAttr target);
void addRunComponentLowering(RewritePatternSet &patterns);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_LOWERINGS_H
