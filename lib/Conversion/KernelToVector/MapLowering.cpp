//===- MapLowering.cpp - kernel.map as loops over vectors -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"
#include "nnet3/Conversion/KernelToVector/MapEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

static LogicalResult lowerMap(MapOp op, TargetAttr target,
                              PatternRewriter &rewriter) {
  if (llvm::any_of(op.getOperandTypes(), isNarrowView))
    return op.emitOpError("computes f32 alone on CPUs");
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  MapEmitter emitter(op, b, /*threads=*/false);
  if (failed(emitter.initialize()))
    return failure();
  forEachStep(b, op.getNumRows(), 1, [&](Value row) {
    emitter.emitRow(row, [&](MapEmitter::ColumnsBody body) {
      if (emitter.canScale())
        forEachVector(b, op.getNumColumns(), target, body);
      else
        forEachVector(b, op.getNumColumns(), target.getVectorLength(), body);
    });
  });
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addMapLowering(RewritePatternSet &patterns,
                                         TargetAttr target) {
  patterns.add<TargetPattern<MapOp, lowerMap>>(patterns.getContext(), target);
}
