//===- MapRowsLowering.cpp - kernel.map_rows as loops over vectors --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneRows.h"
#include "Lowerings.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

static LogicalResult lowerMapRows(MapRowsOp op, TargetAttr target,
                                  PatternRewriter &rewriter) {
  LaneRows rows(op, rewriter, target);
  if (failed(rows.initialize()) || failed(rows.emitRows()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addMapRowsLowering(RewritePatternSet &patterns,
                                             TargetAttr target) {
  patterns.add<TargetPattern<MapRowsOp, lowerMapRows>>(patterns.getContext(),
                                                       target);
}
