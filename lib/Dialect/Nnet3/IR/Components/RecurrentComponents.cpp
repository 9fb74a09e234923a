//===- RecurrentComponents.cpp - Recurrent layers -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

//===----------------------------------------------------------------------===//
// LstmNonlinearityComponent
//===----------------------------------------------------------------------===//

int64_t LstmNonlinearityOp::getComponentInputDim() {
  return 5 * getCellDim() + (getUseDropout() ? 3 : 0);
}
int64_t LstmNonlinearityOp::getComponentOutputDim() { return 2 * getCellDim(); }
P LstmNonlinearityOp::getComponentProperties() {
  return P::Simple | P::Updatable | P::BackpropNeedsInput;
}
SmallVector<TensorSpec> LstmNonlinearityOp::getTensors() {
  int64_t dim = getCellDim();
  return {{"params", {3, dim}},
          {"value_avg", {5, dim}, false},
          {"deriv_avg", {5, dim}, false},
          {"self_repair_config", {10}, false},
          {"self_repair_prob", {5}, false}};
}
LogicalResult
LstmNonlinearityOp::initializeParameters(ParameterInitializer &i) {
  if (getParams())
    return success();
  int64_t dim = getCellDim();
  DictionaryAttr init = getInitAttr();
  i.setNormal(*this, "params", {3, dim}, 0,
              getInitNumber(init, "param_stddev", 1));
  float sigmoid = getInitNumber(init, "sigmoid_self_repair_threshold", 0.05);
  float tanh = getInitNumber(init, "tanh_self_repair_threshold", 0.2);
  float scale = getInitNumber(init, "self_repair_scale", 1e-5);
  i.setTensor(*this, "self_repair_config", {10},
              {sigmoid, sigmoid, tanh, sigmoid, tanh, scale, scale, scale,
               scale, scale});
  i.setNormal(*this, "value_avg", {5, dim}, 0, 0);
  i.setNormal(*this, "deriv_avg", {5, dim}, 0, 0);
  i.setNormal(*this, "self_repair_prob", {5}, 0, 0);
  return success();
}

//===----------------------------------------------------------------------===//
// BackpropTruncationComponent
//===----------------------------------------------------------------------===//

int64_t BackpropTruncationOp::getComponentInputDim() { return getDim(); }
int64_t BackpropTruncationOp::getComponentOutputDim() { return getDim(); }
P BackpropTruncationOp::getComponentProperties() {
  return P::PropagateInPlace | P::BackpropInPlace;
}
LogicalResult BackpropTruncationOp::verifyConfiguration() {
  if (!(getScale().convertToFloat() > 0))
    return emitOpError("expects a positive scale, but got ")
           << getScale().convertToFloat();
  return success();
}

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

DictionaryAttr BackpropTruncationOp::precomputeIndexes(const IndexRows &,
                                                       const IndexRows &outputs,
                                                       bool needBackprop) {
  if (!needBackprop)
    return {};
  SmallVector<RowRef> zeroing;
  int64_t interval = getZeroingInterval();
  for (const Index &index : outputs.expand()) {
    int64_t t = int64_t(index.t) - index.n;
    bool boundary = floorDiv(t, interval) !=
                    floorDiv(t - int64_t(getRecurrenceInterval()), interval);
    zeroing.push_back(boundary ? RowRef::none() : RowRef{0, 0});
  }
  Builder builder(getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr(
      "zeroing", RowTableAttr::get(getContext(), zeroing)));
}

//===----------------------------------------------------------------------===//
// ClipGradientComponent
//===----------------------------------------------------------------------===//

int64_t ClipGradientOp::getComponentInputDim() { return getDim(); }
int64_t ClipGradientOp::getComponentOutputDim() { return getDim(); }
P ClipGradientOp::getComponentProperties() {
  return P::Simple | P::PropagateInPlace | P::BackpropInPlace |
         P::BackpropNeedsInput;
}
LogicalResult ClipGradientOp::verifyConfiguration() {
  if (!(getClippingThreshold().convertToFloat() >= 0))
    return emitOpError("expects a clipping_threshold that is not negative, "
                       "but got ")
           << getClippingThreshold().convertToFloat();
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/RecurrentComponentOps.cpp.inc"
