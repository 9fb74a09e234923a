//===- ImageComponents.cpp - Images within a row --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// One axis of an image, with the window and step along it.
struct Axis {
  StringRef inputName, sizeName, stepName;
  int64_t input, size, step;
};
} // namespace

/// Emits an error unless windows of the size fit and steps reach the end.
static LogicalResult verifyAxis(Operation *op, const Axis &axis) {
  if (axis.size > axis.input)
    return op->emitOpError("expects a ")
           << axis.sizeName << " up to " << axis.inputName << " " << axis.input
           << ", but got " << axis.size;
  if ((axis.input - axis.size) % axis.step != 0)
    return op->emitOpError("expects a ")
           << axis.stepName << " that divides " << axis.inputName << " - "
           << axis.sizeName << " = " << axis.input - axis.size << ", but got "
           << axis.step;
  return success();
}

//===----------------------------------------------------------------------===//
// ConvolutionComponent
//===----------------------------------------------------------------------===//

static Axis getXAxis(ConvolutionOp op) {
  return {"input_x_dim",
          "filt_x_dim",
          "filt_x_step",
          int64_t(op.getInputXDim()),
          int64_t(op.getFiltXDim()),
          int64_t(op.getFiltXStep())};
}

static Axis getYAxis(ConvolutionOp op) {
  return {"input_y_dim",
          "filt_y_dim",
          "filt_y_step",
          int64_t(op.getInputYDim()),
          int64_t(op.getFiltYDim()),
          int64_t(op.getFiltYStep())};
}

LogicalResult ConvolutionOp::verifyConfiguration() {
  return success(succeeded(verifyAxis(*this, getXAxis(*this))) &&
                 succeeded(verifyAxis(*this, getYAxis(*this))));
}

//===----------------------------------------------------------------------===//
// MaxpoolingComponent
//===----------------------------------------------------------------------===//

static SmallVector<Axis, 3> getAxes(MaxpoolingOp op) {
  auto number = [](uint64_t value) { return int64_t(value); };
  return {
      {"input_x_dim", "pool_x_size", "pool_x_step", number(op.getInputXDim()),
       number(op.getPoolXSize()), number(op.getPoolXStep())},
      {"input_y_dim", "pool_y_size", "pool_y_step", number(op.getInputYDim()),
       number(op.getPoolYSize()), number(op.getPoolYStep())},
      {"input_z_dim", "pool_z_size", "pool_z_step", number(op.getInputZDim()),
       number(op.getPoolZSize()), number(op.getPoolZStep())}};
}

LogicalResult MaxpoolingOp::verifyConfiguration() {
  for (const Axis &axis : getAxes(*this)) {
    if (failed(verifyAxis(*this, axis)))
      return failure();
    if (axis.step > axis.size)
      return emitOpError("expects a ")
             << axis.stepName << " up to " << axis.sizeName << " " << axis.size
             << ", but got " << axis.step;
  }
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/ImageComponentOps.cpp.inc"
