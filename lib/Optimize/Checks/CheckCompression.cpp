//===- CheckCompression.cpp - Check compressed matrices -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckComputation.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Whether the command is the backprop of a rectifier.
static bool isRectifierBackprop(int32_t command, CommandAnalysis &analysis) {
  auto backprop = dyn_cast<BackpropOp>(analysis.getCommand(command));
  return backprop &&
         isa_and_nonnull<RectifiedLinearOp>(
             analysis.getComponents().find(backprop.getComponent()));
}

/// Checks that a matrix of which only the signs are kept is used by one
/// command, the backprop of a rectifier. Other data may replace it then.
static LogicalResult checkSigns(CompressMatrixOp op, DecompressMatrixOp user,
                                CommandAnalysis &analysis) {
  bool isUsed = false, isRight = true;
  analysis.getVariables(user.getResult()).forEach([&](int32_t variable) {
    // The first access is the decompression itself.
    ArrayRef<Access> uses = analysis.getVariableAccesses(variable).drop_front();
    if (uses.empty() || uses.front().kind == Access::Write)
      return;
    isUsed = true;
    isRight &= isRectifierBackprop(uses.front().command, analysis) &&
               (uses.size() == 1 || uses[1].kind == Access::Write);
  });
  if (isUsed && isRight)
    return success();
  InFlightDiagnostic diag = op.emitOpError(
      "keeps signs only: expects one use, by the backprop of a rectifier");
  diag.attachNote(user.getLoc()) << "decompressed here";
  return diag;
}

static LogicalResult checkRange(CompressMatrixOp op) {
  float range = op.getRange().convertToFloat();
  if (range > 1000)
    return op.emitOpError("expects a range of at most 1000, but got ")
           << op.getRangeAttr();
  if (range == 0 && !op.getType().getElementType().isUnsignedInteger(8))
    return op.emitOpError("expects elements of type ui8 for a range of 0, but "
                          "got ")
           << op.getType().getElementType();
  return success();
}

/// Returns the only decompression of a matrix; fails if there is none or
/// several.
static FailureOr<DecompressMatrixOp> getDecompression(CompressMatrixOp op) {
  if (op->use_empty())
    return op.emitOpError("matrix is not decompressed");
  // Users are listed in reverse order.
  Operation *last = *op->user_begin();
  if (op->hasOneUse())
    return cast<DecompressMatrixOp>(last);
  InFlightDiagnostic diag = last->emitOpError("matrix is decompressed twice");
  diag.attachNote((*std::next(op->user_begin()))->getLoc())
      << "first decompressed here";
  return diag;
}

static LogicalResult checkOrder(CompressMatrixOp op, DecompressMatrixOp user,
                                const CommandAnalysis &analysis) {
  int32_t marker = getMarker(analysis);
  if (marker < 0)
    return op.emitOpError("expects a computation with one marker");
  Location markerLoc = analysis.getCommand(marker)->getLoc();
  if (analysis.getNumber(op) > marker) {
    InFlightDiagnostic diag = op.emitOpError("expects to be before the marker");
    diag.attachNote(markerLoc) << "marker is here";
    return diag;
  }
  if (analysis.getNumber(user) < marker) {
    InFlightDiagnostic diag =
        user.emitOpError("expects to be after the marker");
    diag.attachNote(markerLoc) << "marker is here";
    return diag;
  }
  return success();
}

static LogicalResult check(CompressMatrixOp op, CommandAnalysis &analysis) {
  if (failed(checkRange(op)))
    return failure();
  FailureOr<DecompressMatrixOp> user = getDecompression(op);
  if (failed(user) || failed(checkOrder(op, *user, analysis)))
    return failure();
  if (op.getRange().isZero())
    return checkSigns(op, *user, analysis);
  return success();
}

LogicalResult mlir::nnet3::checkCompression(CommandAnalysis &analysis) {
  bool fails = false;
  for (int32_t c = 0; c < analysis.getNumCommands(); ++c)
    if (auto op = dyn_cast<CompressMatrixOp>(analysis.getCommand(c)))
      fails |= failed(check(op, analysis));
  return failure(fails);
}
