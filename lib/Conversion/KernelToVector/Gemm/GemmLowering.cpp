//===- GemmLowering.cpp - kernel.gemm as loops over vectors ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GemmEmitter.h"
#include "Lowerings.h"
#include "ParallelRows.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

static LogicalResult lowerGemm(GemmOp op, TargetAttr target,
                               PatternRewriter &rewriter) {
  if (op.getParallel() && target.getThreads() == 1)
    return lowerParallelGemm(op, target, rewriter);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  auto operands = GemmOperands::get(b, op, target);
  if (failed(operands))
    return failure();
  auto emitter = createGemmEmitter(*operands, target, b);
  if (op.getParallel())
    emitter->emitShared();
  else
    emitter->emit();
  rewriter.eraseOp(op);
  return success();
}

void kernel::addGemmLowering(RewritePatternSet &patterns, TargetAttr target) {
  patterns.add<TargetPattern<GemmOp, lowerGemm>>(patterns.getContext(), target);
}
