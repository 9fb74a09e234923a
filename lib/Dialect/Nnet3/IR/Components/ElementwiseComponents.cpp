//===- ElementwiseComponents.cpp - Element-wise and summing ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

//===----------------------------------------------------------------------===//
// NoOp, products and sums
//===----------------------------------------------------------------------===//

int64_t NoOpOp::getComponentInputDim() { return getDim(); }
int64_t NoOpOp::getComponentOutputDim() { return getDim(); }
P NoOpOp::getComponentProperties() {
  return P::Simple | P::PropagateInPlace | P::BackpropInPlace;
}

int64_t ElementwiseProductOp::getComponentInputDim() { return getInputDim(); }
int64_t ElementwiseProductOp::getComponentOutputDim() { return getOutputDim(); }
P ElementwiseProductOp::getComponentProperties() {
  return P::Simple | P::BackpropNeedsInput;
}
LogicalResult ElementwiseProductOp::verifyConfiguration() {
  if (getInputDim() <= getOutputDim())
    return emitOpError("expects an input_dim above output_dim ")
           << getOutputDim() << ", but got " << getInputDim();
  return verifyDivides(*this, "output_dim", getOutputDim(), "input_dim",
                       getInputDim());
}

int64_t PnormOp::getComponentInputDim() { return getInputDim(); }
int64_t PnormOp::getComponentOutputDim() { return getOutputDim(); }
P PnormOp::getComponentProperties() {
  return P::Simple | P::BackpropNeedsInput | P::BackpropNeedsOutput;
}
LogicalResult PnormOp::verifyConfiguration() {
  return verifyDivides(*this, "output_dim", getOutputDim(), "input_dim",
                       getInputDim());
}

int64_t SumBlockOp::getComponentInputDim() { return getInputDim(); }
int64_t SumBlockOp::getComponentOutputDim() { return getOutputDim(); }
P SumBlockOp::getComponentProperties() {
  return P::Simple | P::PropagateAdds | P::BackpropAdds;
}
LogicalResult SumBlockOp::verifyConfiguration() {
  return verifyDivides(*this, "output_dim", getOutputDim(), "input_dim",
                       getInputDim());
}

int64_t SumGroupOp::getComponentInputDim() {
  return std::accumulate(getSizes().begin(), getSizes().end(), int64_t(0));
}
int64_t SumGroupOp::getComponentOutputDim() { return getSizes().size(); }
P SumGroupOp::getComponentProperties() { return P::Simple; }
LogicalResult SumGroupOp::verifyConfiguration() {
  if (getSizes().empty())
    return emitOpError("expects at least one size");
  for (int64_t size : getSizes())
    if (size <= 0 || size > std::numeric_limits<int32_t>::max())
      return emitOpError("expects positive sizes, but got ") << size;
  return success();
}

int64_t PermuteOp::getComponentInputDim() { return getColumnMap().size(); }
int64_t PermuteOp::getComponentOutputDim() { return getColumnMap().size(); }
P PermuteOp::getComponentProperties() { return P::Simple; }
LogicalResult PermuteOp::verifyConfiguration() {
  std::vector<bool> seen(getColumnMap().size());
  if (seen.empty())
    return emitOpError("expects at least one column");
  for (int64_t column : getColumnMap()) {
    if (column < 0 || column >= int64_t(seen.size()) || seen[column])
      return emitOpError("column_map is not a permutation of 0 to ")
             << seen.size() - 1;
    seen[column] = true;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Fixed scale and bias
//===----------------------------------------------------------------------===//

/// A vector from the file under `key`, or drawn; does nothing if it is there.
static LogicalResult initializeVector(Operation *op, DictionaryAttr init,
                                      StringRef key, StringRef name,
                                      int64_t dim, double mean, double stddev,
                                      ParameterInitializer &initializer) {
  if (op->getAttr(name))
    return success();
  FailureOr<bool> read = readVector(op, init, key, name, dim, initializer);
  if (failed(read))
    return failure();
  if (!*read)
    initializer.setNormal(op, name, {dim}, mean, stddev);
  return success();
}

int64_t FixedScaleOp::getComponentInputDim() { return getDim(); }
int64_t FixedScaleOp::getComponentOutputDim() { return getDim(); }
P FixedScaleOp::getComponentProperties() {
  return P::Simple | P::PropagateInPlace | P::BackpropInPlace;
}
SmallVector<TensorSpec> FixedScaleOp::getTensors() {
  return {{"scales", {int64_t(getDim())}}};
}
LogicalResult FixedScaleOp::initializeParameters(ParameterInitializer &i) {
  DictionaryAttr init = getInitAttr();
  if (init && init.contains("scale"))
    return initializeVector(*this, init, "scales", "scales", getDim(),
                            getInitNumber(init, "scale", 1), 0, i);
  return initializeVector(*this, init, "scales", "scales", getDim(), 0, 1, i);
}

int64_t FixedBiasOp::getComponentInputDim() { return getDim(); }
int64_t FixedBiasOp::getComponentOutputDim() { return getDim(); }
P FixedBiasOp::getComponentProperties() {
  return P::Simple | P::PropagateInPlace | P::BackpropInPlace;
}
SmallVector<TensorSpec> FixedBiasOp::getTensors() {
  return {{"bias", {int64_t(getDim())}}};
}
LogicalResult FixedBiasOp::initializeParameters(ParameterInitializer &i) {
  return initializeVector(*this, getInitAttr(), "bias", "bias", getDim(), 0, 1,
                          i);
}

//===----------------------------------------------------------------------===//
// Trained scales and offsets
//===----------------------------------------------------------------------===//

int64_t PerElementScaleOp::getComponentInputDim() { return getDim(); }
int64_t PerElementScaleOp::getComponentOutputDim() { return getDim(); }
P PerElementScaleOp::getComponentProperties() {
  return P::Simple | P::Updatable | P::BackpropNeedsInput |
         P::PropagateInPlace | P::BackpropInPlace;
}
SmallVector<TensorSpec> PerElementScaleOp::getTensors() {
  return {{"scales", {int64_t(getDim())}}};
}
LogicalResult PerElementScaleOp::initializeParameters(ParameterInitializer &i) {
  return initializeVector(*this, getInitAttr(), "vector", "scales", getDim(),
                          getInitNumber(getInitAttr(), "param_mean", 1),
                          getInitNumber(getInitAttr(), "param_stddev", 0), i);
}

int64_t NaturalGradientPerElementScaleOp::getComponentInputDim() {
  return getDim();
}
int64_t NaturalGradientPerElementScaleOp::getComponentOutputDim() {
  return getDim();
}
P NaturalGradientPerElementScaleOp::getComponentProperties() {
  return P::Simple | P::Updatable | P::BackpropNeedsInput |
         P::PropagateInPlace | P::BackpropInPlace;
}
SmallVector<TensorSpec> NaturalGradientPerElementScaleOp::getTensors() {
  return {{"scales", {int64_t(getDim())}}};
}
LogicalResult NaturalGradientPerElementScaleOp::initializeParameters(
    ParameterInitializer &i) {
  return initializeVector(*this, getInitAttr(), "scales", "scales", getDim(),
                          getInitNumber(getInitAttr(), "param_mean", 1),
                          getInitNumber(getInitAttr(), "param_stddev", 0), i);
}

int64_t PerElementOffsetOp::getComponentInputDim() { return getDim(); }
int64_t PerElementOffsetOp::getComponentOutputDim() { return getDim(); }
P PerElementOffsetOp::getComponentProperties() {
  P properties =
      P::Simple | P::Updatable | P::BackpropInPlace | P::PropagateInPlace;
  return getBlockDim().value_or(getDim()) < getDim()
             ? properties | P::OutputContiguous
             : properties;
}
SmallVector<TensorSpec> PerElementOffsetOp::getTensors() {
  return {{"offsets", {int64_t(getBlockDim().value_or(getDim()))}}};
}
LogicalResult PerElementOffsetOp::verifyConfiguration() {
  return verifyDivides(*this, "block_dim", getBlockDim().value_or(getDim()),
                       "dim", getDim());
}
LogicalResult
PerElementOffsetOp::initializeParameters(ParameterInitializer &i) {
  return initializeVector(*this, getInitAttr(), "vector", "offsets",
                          getBlockDim().value_or(getDim()),
                          getInitNumber(getInitAttr(), "param_mean", 0),
                          getInitNumber(getInitAttr(), "param_stddev", 0), i);
}

int64_t ScaleAndOffsetOp::getComponentInputDim() { return getDim(); }
int64_t ScaleAndOffsetOp::getComponentOutputDim() { return getDim(); }
P ScaleAndOffsetOp::getComponentProperties() {
  P properties = P::Simple | P::Updatable | P::BackpropInPlace |
                 P::PropagateInPlace | P::BackpropNeedsOutput;
  return getBlockDim().value_or(getDim()) != getDim()
             ? properties | P::InputContiguous | P::OutputContiguous
             : properties;
}
SmallVector<TensorSpec> ScaleAndOffsetOp::getTensors() {
  int64_t dim = getBlockDim().value_or(getDim());
  return {{"scales", {dim}}, {"offsets", {dim}}};
}
LogicalResult ScaleAndOffsetOp::verifyConfiguration() {
  return verifyDivides(*this, "block_dim", getBlockDim().value_or(getDim()),
                       "dim", getDim());
}
LogicalResult ScaleAndOffsetOp::initializeParameters(ParameterInitializer &i) {
  if (getScales() && getOffsets())
    return success();
  int64_t dim = getBlockDim().value_or(getDim());
  i.setNormal(*this, "scales", {dim}, 1, 0);
  i.setNormal(*this, "offsets", {dim}, 0, 0);
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/ElementwiseComponentOps.cpp.inc"
