//===- MapLowering.cpp - kernel.map as loops of threads -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"

#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"
#include "nnet3/Conversion/KernelToVector/MapEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Maximum number of columns per thread.
static constexpr int64_t kWidth = 4;
/// With fewer elements of an output, wide threads would leave a device idle.
static constexpr int64_t kFewestElements = int64_t(1) << 15;

/// Returns the number of columns per thread. It is fixed for views of narrow
/// elements, of which several fill one float.
static FailureOr<int64_t> getWidth(MapOp op) {
  const bool isAligned = op.getAlignment() % kWidth == 0;
  if (llvm::any_of(op.getOperandTypes(), isNarrowView)) {
    if (isAligned)
      return kWidth;
    return op.emitOpError("on elements narrower than f32 expects alignment ")
           << kWidth;
  }
  const int64_t elements = op.getNumRows() * op.getNumColumns();
  return isAligned && elements >= kFewestElements ? kWidth : 1;
}

static LogicalResult lowerMap(MapOp op, PatternRewriter &rewriter) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  MapEmitter emitter(op, b, /*threads=*/true);
  auto width = getWidth(op);
  if (failed(width) || failed(emitter.initialize()))
    return failure();
  const int64_t points = op.getNumColumns() / *width;
  forEachSlice(b, op.getNumRows(), points, [&](Value row, const Slice &slice) {
    emitter.emitRow(row, [&](MapEmitter::ColumnsBody body) {
      parallelFor(b, slice.begin, slice.end, [&](ValueRange at) {
        body(*width == 1 ? at[0] : mulIndex(b, at[0], *width), *width);
      });
    });
  });
  setThreads(cast<func::FuncOp>(op->getParentOp()), points, op.getFormAttr());
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addMapLowering(RewritePatternSet &patterns) {
  patterns.add(lowerMap);
}
