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
  // A vector of narrow elements must fill whole floats, which hold up to four.
  const bool isNarrow = llvm::any_of(op.getOperandTypes(), isNarrowView);
  const int64_t length =
      std::max<int64_t>(target.getVectorLength(), isNarrow ? 4 : 1);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  MapEmitter emitter(op, b, /*threads=*/false);
  if (failed(emitter.initialize()))
    return failure();
  forEachApart(b, target.getThreads(), op.getNumRows(), 1, [&](Value row) {
    emitter.emitRow(row, [&](MapEmitter::ColumnsBody body) {
      if (emitter.canScale() && !isNarrow)
        forEachVector(b, op.getNumColumns(), target, body);
      else
        forEachVector(b, op.getNumColumns(), length, body);
    });
  });
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addMapLowering(RewritePatternSet &patterns,
                                         TargetAttr target) {
  patterns.add<TargetPattern<MapOp, lowerMap>>(patterns.getContext(), target);
}
