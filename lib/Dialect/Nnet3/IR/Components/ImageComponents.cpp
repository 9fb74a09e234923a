//===- ImageComponents.cpp - Images within a row --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

namespace {
/// One direction of an image and what moves along it.
struct Axis {
  StringRef inputName, sizeName, stepName;
  int64_t input, size, step;

  /// How many steps there are.
  int64_t getCount() const { return 1 + (input - size) / step; }
};
} // namespace

/// An error unless windows of the size fit, and steps reach the end.
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

/// The product of three sizes below 2^31; a number above all dims where it has
/// more than 64 bits.
static int64_t multiply(int64_t a, int64_t b, int64_t c) {
  int64_t product;
  if (llvm::MulOverflow(a * b, c, product))
    return std::numeric_limits<int64_t>::max();
  return product;
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

static int64_t getFilterDim(ConvolutionOp op) {
  return multiply(op.getFiltXDim(), op.getFiltYDim(), op.getInputZDim());
}

int64_t ConvolutionOp::getComponentInputDim() {
  return multiply(getInputXDim(), getInputYDim(), getInputZDim());
}
int64_t ConvolutionOp::getComponentOutputDim() {
  return multiply(getXAxis(*this).getCount(), getYAxis(*this).getCount(),
                  getNumFilters());
}
P ConvolutionOp::getComponentProperties() {
  return P::Simple | P::Updatable | P::BackpropNeedsInput | P::BackpropAdds |
         P::PropagateAdds;
}
LogicalResult ConvolutionOp::verifyConfiguration() {
  return success(succeeded(verifyAxis(*this, getXAxis(*this))) &&
                 succeeded(verifyAxis(*this, getYAxis(*this))));
}
SmallVector<TensorSpec> ConvolutionOp::getTensors() {
  int64_t filters = getNumFilters();
  return {{"filter_params", {filters, getFilterDim(*this)}},
          {"bias_params", {filters}}};
}
LogicalResult ConvolutionOp::initializeParameters(ParameterInitializer &i) {
  if (getFilterParams() && getBiasParams())
    return success();
  DictionaryAttr init = getInitAttr();
  int64_t filters = getNumFilters(), dim = getFilterDim(*this);
  if (StringRef file = getInitFile(init, "matrix"); !file.empty())
    return readAffine(*this, file, dim, filters, "filter_params", "bias_params",
                      i);
  i.setNormal(
      *this, "filter_params", {filters, dim}, 0,
      getInitNumber(init, "param_stddev", 1.0 / std::sqrt(double(dim))));
  i.setNormal(*this, "bias_params", {filters}, 0,
              getInitNumber(init, "bias_stddev", 1));
  return success();
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

int64_t MaxpoolingOp::getComponentInputDim() {
  return multiply(getInputXDim(), getInputYDim(), getInputZDim());
}
int64_t MaxpoolingOp::getComponentOutputDim() {
  SmallVector<Axis, 3> axes = getAxes(*this);
  return multiply(axes[0].getCount(), axes[1].getCount(), axes[2].getCount());
}
P MaxpoolingOp::getComponentProperties() {
  return P::Simple | P::BackpropNeedsInput | P::BackpropNeedsOutput |
         P::BackpropAdds;
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
#include "nnet3/Dialect/Nnet3/IR/ImageComponentOps.cpp.inc"
