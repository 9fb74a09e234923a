//===- AffineComponents.cpp - Matrix-product components -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

/// W (and b) of an affine map.
static SmallVector<TensorSpec> affineTensors(int64_t in, int64_t out) {
  return {{"linear_params", {out, in}}, {"bias_params", {out}}};
}

LogicalResult
mlir::nnet3::detail::readAffine(Operation *op, StringRef file, int64_t in,
                                int64_t out, StringRef linearName,
                                StringRef biasName,
                                ParameterInitializer &initializer) {
  int64_t rows, cols;
  FailureOr<std::vector<float>> values =
      initializer.readMatrix(op, file, rows, cols);
  if (failed(values))
    return failure();
  int64_t expectedCols = in + (biasName.empty() ? 0 : 1);
  if (rows != out || cols != expectedCols)
    return op->emitOpError("expects a ")
           << out << "x" << expectedCols << " matrix in '" << file
           << "', but got " << rows << "x" << cols;
  std::vector<float> linear, bias;
  for (int64_t r = 0; r < rows; ++r) {
    auto row = values->begin() + r * cols;
    linear.insert(linear.end(), row, row + in);
    if (!biasName.empty())
      bias.push_back(row[in]);
  }
  initializer.setTensor(op, linearName, {out, in}, linear);
  if (!biasName.empty())
    initializer.setTensor(op, biasName, {out}, bias);
  return success();
}

/// Kaldi's distributions of the trainable affine components.
template <typename OpTy>
static LogicalResult initializeAffine(OpTy op,
                                      ParameterInitializer &initializer) {
  if (op.getLinearParams() && op.getBiasParams())
    return success();
  DictionaryAttr init = op.getInitAttr();
  int64_t in = op.getInputDim(), out = op.getOutputDim();
  if (StringRef file = getInitFile(init, "matrix"); !file.empty())
    return readAffine(op, file, in, out, "linear_params", "bias_params",
                      initializer);
  double stddev =
      getInitNumber(init, "param_stddev", 1.0 / std::sqrt(double(in)));
  initializer.setNormal(op, "linear_params", {out, in}, 0, stddev);
  initializer.setNormal(op, "bias_params", {out},
                        getInitNumber(init, "bias_mean", 0.0),
                        getInitNumber(init, "bias_stddev", 1.0));
  return success();
}

//===----------------------------------------------------------------------===//
// AffineComponent
//===----------------------------------------------------------------------===//

int64_t AffineOp::getComponentInputDim() { return getInputDim(); }
int64_t AffineOp::getComponentOutputDim() { return getOutputDim(); }
P AffineOp::getComponentProperties() {
  return P::Simple | P::Updatable | P::BackpropNeedsInput | P::BackpropAdds;
}
SmallVector<TensorSpec> AffineOp::getTensors() {
  return affineTensors(getInputDim(), getOutputDim());
}
LogicalResult AffineOp::initializeParameters(ParameterInitializer &i) {
  return initializeAffine(*this, i);
}

//===----------------------------------------------------------------------===//
// NaturalGradientAffineComponent
//===----------------------------------------------------------------------===//

int64_t NaturalGradientAffineOp::getComponentInputDim() {
  return getInputDim();
}
int64_t NaturalGradientAffineOp::getComponentOutputDim() {
  return getOutputDim();
}
P NaturalGradientAffineOp::getComponentProperties() {
  return P::Simple | P::Updatable | P::BackpropNeedsInput | P::BackpropAdds;
}
SmallVector<TensorSpec> NaturalGradientAffineOp::getTensors() {
  return affineTensors(getInputDim(), getOutputDim());
}
LogicalResult
NaturalGradientAffineOp::initializeParameters(ParameterInitializer &i) {
  return initializeAffine(*this, i);
}

//===----------------------------------------------------------------------===//
// LinearComponent
//===----------------------------------------------------------------------===//

int64_t LinearOp::getComponentInputDim() { return getInputDim(); }
int64_t LinearOp::getComponentOutputDim() { return getOutputDim(); }
P LinearOp::getComponentProperties() {
  return P::Simple | P::Updatable | P::BackpropNeedsInput | P::PropagateAdds |
         P::BackpropAdds;
}
SmallVector<TensorSpec> LinearOp::getTensors() {
  return {{"params", {int64_t(getOutputDim()), int64_t(getInputDim())}}};
}
LogicalResult LinearOp::initializeParameters(ParameterInitializer &i) {
  if (getParams())
    return success();
  int64_t in = getInputDim(), out = getOutputDim();
  if (StringRef file = getInitFile(getInitAttr(), "matrix"); !file.empty())
    return readAffine(*this, file, in, out, "params", "", i);
  i.setNormal(*this, "params", {out, in}, 0,
              getInitNumber(getInitAttr(), "param_stddev",
                            1.0 / std::sqrt(double(in))));
  return success();
}

//===----------------------------------------------------------------------===//
// FixedAffineComponent
//===----------------------------------------------------------------------===//

int64_t FixedAffineOp::getComponentInputDim() { return getInputDim(); }
int64_t FixedAffineOp::getComponentOutputDim() { return getOutputDim(); }
P FixedAffineOp::getComponentProperties() {
  return P::Simple | P::BackpropAdds;
}
SmallVector<TensorSpec> FixedAffineOp::getTensors() {
  return affineTensors(getInputDim(), getOutputDim());
}
LogicalResult FixedAffineOp::initializeParameters(ParameterInitializer &i) {
  if (getLinearParams() && getBiasParams())
    return success();
  int64_t in = getInputDim(), out = getOutputDim();
  if (StringRef file = getInitFile(getInitAttr(), "matrix"); !file.empty())
    return readAffine(*this, file, in, out, "linear_params", "bias_params", i);
  i.setNormal(*this, "linear_params", {out, in}, 0, 1);
  i.setNormal(*this, "bias_params", {out}, 0, 1);
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/AffineComponentOps.cpp.inc"
