//===- NonlinearComponents.cpp - Nonlinearities ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

static LogicalResult verifyBlockDim(Operation *op, StringRef dimName,
                                    int64_t dim,
                                    std::optional<uint64_t> blockDim) {
  return verifyDivides(op, "block_dim", blockDim.value_or(dim), dimName, dim);
}

/// The statistics of Kaldi's NonlinearComponent.
static SmallVector<TensorSpec> nonlinearTensors(int64_t dim) {
  return {{"value_avg", {dim}, false},
          {"deriv_avg", {dim}, false},
          {"oderiv_rms", {dim}, false}};
}

int64_t RectifiedLinearOp::getComponentInputDim() { return getDim(); }
int64_t RectifiedLinearOp::getComponentOutputDim() { return getDim(); }
P RectifiedLinearOp::getComponentProperties() {
  P properties =
      P::Simple | P::BackpropNeedsOutput | P::PropagateInPlace | P::StoresStats;
  return getBlockDim().value_or(getDim()) == getDim()
             ? properties
             : properties | P::InputContiguous;
}
SmallVector<TensorSpec> RectifiedLinearOp::getTensors() {
  return nonlinearTensors(getDim());
}
LogicalResult RectifiedLinearOp::verifyConfiguration() {
  return verifyBlockDim(*this, "dim", getDim(), getBlockDim());
}

int64_t SigmoidOp::getComponentInputDim() { return getDim(); }
int64_t SigmoidOp::getComponentOutputDim() { return getDim(); }
P SigmoidOp::getComponentProperties() {
  return P::Simple | P::BackpropNeedsOutput | P::PropagateInPlace |
         P::StoresStats;
}
SmallVector<TensorSpec> SigmoidOp::getTensors() {
  return nonlinearTensors(getDim());
}
LogicalResult SigmoidOp::verifyConfiguration() {
  return verifyBlockDim(*this, "dim", getDim(), getBlockDim());
}

int64_t TanhOp::getComponentInputDim() { return getDim(); }
int64_t TanhOp::getComponentOutputDim() { return getDim(); }
P TanhOp::getComponentProperties() {
  return P::Simple | P::BackpropNeedsOutput | P::PropagateInPlace |
         P::StoresStats;
}
SmallVector<TensorSpec> TanhOp::getTensors() {
  return nonlinearTensors(getDim());
}
LogicalResult TanhOp::verifyConfiguration() {
  return verifyBlockDim(*this, "dim", getDim(), getBlockDim());
}

int64_t SoftmaxOp::getComponentInputDim() { return getDim(); }
int64_t SoftmaxOp::getComponentOutputDim() { return getDim(); }
P SoftmaxOp::getComponentProperties() {
  return P::Simple | P::PropagateInPlace | P::BackpropInPlace |
         P::BackpropNeedsOutput | P::StoresStats;
}
SmallVector<TensorSpec> SoftmaxOp::getTensors() {
  return nonlinearTensors(getDim());
}
LogicalResult SoftmaxOp::verifyConfiguration() {
  return verifyBlockDim(*this, "dim", getDim(), getBlockDim());
}

int64_t LogSoftmaxOp::getComponentInputDim() { return getDim(); }
int64_t LogSoftmaxOp::getComponentOutputDim() { return getDim(); }
P LogSoftmaxOp::getComponentProperties() {
  return P::Simple | P::BackpropNeedsOutput | P::StoresStats;
}
SmallVector<TensorSpec> LogSoftmaxOp::getTensors() {
  return nonlinearTensors(getDim());
}
LogicalResult LogSoftmaxOp::verifyConfiguration() {
  return verifyBlockDim(*this, "dim", getDim(), getBlockDim());
}

//===----------------------------------------------------------------------===//
// NormalizeComponent, BatchNormComponent
//===----------------------------------------------------------------------===//

int64_t NormalizeOp::getComponentInputDim() { return getInputDim(); }
int64_t NormalizeOp::getComponentOutputDim() {
  int64_t blocks = getInputDim() / getBlockDim().value_or(getInputDim());
  return getInputDim() + (getAddLogStddev() ? blocks : 0);
}
P NormalizeOp::getComponentProperties() {
  P properties = P::Simple | P::BackpropNeedsInput | P::BackpropAdds;
  if (!getAddLogStddev())
    properties |= P::PropagateInPlace | P::BackpropInPlace;
  if (getBlockDim().value_or(getInputDim()) != getInputDim())
    properties |= P::InputContiguous | P::OutputContiguous;
  return properties;
}
LogicalResult NormalizeOp::verifyConfiguration() {
  if (!(getTargetRms().convertToFloat() > 0))
    return emitOpError("expects a positive target_rms, but got ")
           << getTargetRms().convertToFloat();
  return verifyBlockDim(*this, "input_dim", getInputDim(), getBlockDim());
}

int64_t BatchNormOp::getComponentInputDim() { return getDim(); }
int64_t BatchNormOp::getComponentOutputDim() { return getDim(); }
P BatchNormOp::getComponentProperties() {
  P properties = P::Simple | P::BackpropNeedsOutput | P::PropagateInPlace |
                 P::BackpropInPlace;
  if (getBlockDim().value_or(getDim()) < getDim())
    properties |= P::InputContiguous | P::OutputContiguous;
  return getTestMode() ? properties : properties | P::UsesMemo | P::StoresStats;
}
SmallVector<TensorSpec> BatchNormOp::getTensors() {
  int64_t dim = getBlockDim().value_or(getDim());
  return {{"stats_mean", {dim}, false}, {"stats_var", {dim}, false}};
}
LogicalResult BatchNormOp::verifyConfiguration() {
  if (!(getEpsilon().convertToFloat() > 0))
    return emitOpError("expects a positive epsilon, but got ")
           << getEpsilon().convertToFloat();
  if (!(getTargetRms().convertToFloat() > 0))
    return emitOpError("expects a positive target_rms, but got ")
           << getTargetRms().convertToFloat();
  return verifyBlockDim(*this, "dim", getDim(), getBlockDim());
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/NonlinearComponentOps.cpp.inc"
