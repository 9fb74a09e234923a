//===- MapRowsLowering.cpp - kernel.map_rows as loops of threads ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"
#include "ThreadRows.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

static LogicalResult lowerMapRows(MapRowsOp op, PatternRewriter &rewriter) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  ThreadRows rows(op, rewriter);
  if (!function || failed(rows.initialize()) || failed(rows.emitRows()))
    return failure();
  setThreads(function, rows.getColumns());
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addMapRowsLowering(RewritePatternSet &patterns) {
  patterns.add(lowerMapRows);
}
