//===- MapLowering.cpp - kernel.map as loops of threads -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"

#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"
#include "nnet3/Conversion/KernelToVector/MapEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// The most columns that a thread takes.
static constexpr int64_t kWidth = 4;
/// With fewer elements of an output, wide threads would leave a device idle.
static constexpr int64_t kFewestElements = int64_t(1) << 15;

/// How many columns a thread takes. Numbers of which several are in a float
/// leave no choice.
static FailureOr<int64_t> getWidth(MapOp op) {
  const bool isAligned = op.getAlignment() % kWidth == 0;
  if (llvm::any_of(op.getOperandTypes(), isNarrowView)) {
    if (isAligned)
      return kWidth;
    return op.emitOpError(
               "of numbers of fewer bits than f32 expects alignment ")
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
  forEachStretch(
      b, op.getNumRows(), points, [&](Value row, const Stretch &stretch) {
        emitter.emitRow(row, [&](MapEmitter::ColumnsBody body) {
          parallelFor(b, stretch.begin, stretch.end, [&](ValueRange at) {
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
