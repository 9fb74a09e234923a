//===- BlockComponents.cpp - Affine maps of blocks ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

static constexpr P kProperties =
    P::Simple | P::Updatable | P::BackpropNeedsInput | P::BackpropAdds;

/// The blocks of a row are equal, of the input as of the output.
static LogicalResult verifyBlocks(Operation *op, StringRef countName,
                                  int64_t count, int64_t in, int64_t out) {
  return success(
      succeeded(verifyDivides(op, countName, count, "input_dim", in)) &&
      succeeded(verifyDivides(op, countName, count, "output_dim", out)));
}

/// W (and b) of `rows` outputs, which each see a block of `cols` inputs.
static SmallVector<TensorSpec> blockTensors(int64_t rows, int64_t cols) {
  return {{"linear_params", {rows, cols}}, {"bias_params", {rows}}};
}

template <typename OpTy>
static LogicalResult initializeBlocks(OpTy op, int64_t rows, int64_t cols,
                                      double biasStddev,
                                      ParameterInitializer &initializer) {
  if (op.getLinearParams() && op.getBiasParams())
    return success();
  DictionaryAttr init = op.getInitAttr();
  initializer.setNormal(
      op, "linear_params", {rows, cols}, 0,
      getInitNumber(init, "param_stddev", 1.0 / std::sqrt(double(cols))));
  initializer.setNormal(op, "bias_params", {rows},
                        getInitNumber(init, "bias_mean", 0),
                        getInitNumber(init, "bias_stddev", biasStddev));
  return success();
}

//===----------------------------------------------------------------------===//
// BlockAffineComponent
//===----------------------------------------------------------------------===//

int64_t BlockAffineOp::getComponentInputDim() { return getInputDim(); }
int64_t BlockAffineOp::getComponentOutputDim() { return getOutputDim(); }
P BlockAffineOp::getComponentProperties() { return kProperties; }
LogicalResult BlockAffineOp::verifyConfiguration() {
  return verifyBlocks(*this, "num_blocks", getNumBlocks(), getInputDim(),
                      getOutputDim());
}
SmallVector<TensorSpec> BlockAffineOp::getTensors() {
  return blockTensors(getOutputDim(), getInputDim() / getNumBlocks());
}
LogicalResult BlockAffineOp::initializeParameters(ParameterInitializer &i) {
  return initializeBlocks(*this, getOutputDim(), getInputDim() / getNumBlocks(),
                          /*biasStddev=*/1, i);
}

//===----------------------------------------------------------------------===//
// RepeatedAffineComponent
//===----------------------------------------------------------------------===//

static constexpr P kRepeatedProperties =
    kProperties | P::InputContiguous | P::OutputContiguous;

int64_t RepeatedAffineOp::getComponentInputDim() { return getInputDim(); }
int64_t RepeatedAffineOp::getComponentOutputDim() { return getOutputDim(); }
P RepeatedAffineOp::getComponentProperties() { return kRepeatedProperties; }
LogicalResult RepeatedAffineOp::verifyConfiguration() {
  return verifyBlocks(*this, "num_repeats", getNumRepeats(), getInputDim(),
                      getOutputDim());
}
SmallVector<TensorSpec> RepeatedAffineOp::getTensors() {
  return blockTensors(getOutputDim() / getNumRepeats(),
                      getInputDim() / getNumRepeats());
}
LogicalResult RepeatedAffineOp::initializeParameters(ParameterInitializer &i) {
  return initializeBlocks(*this, getOutputDim() / getNumRepeats(),
                          getInputDim() / getNumRepeats(), /*biasStddev=*/0, i);
}

//===----------------------------------------------------------------------===//
// NaturalGradientRepeatedAffineComponent
//===----------------------------------------------------------------------===//

int64_t NaturalGradientRepeatedAffineOp::getComponentInputDim() {
  return getInputDim();
}
int64_t NaturalGradientRepeatedAffineOp::getComponentOutputDim() {
  return getOutputDim();
}
P NaturalGradientRepeatedAffineOp::getComponentProperties() {
  return kRepeatedProperties;
}
LogicalResult NaturalGradientRepeatedAffineOp::verifyConfiguration() {
  return verifyBlocks(*this, "num_repeats", getNumRepeats(), getInputDim(),
                      getOutputDim());
}
SmallVector<TensorSpec> NaturalGradientRepeatedAffineOp::getTensors() {
  return blockTensors(getOutputDim() / getNumRepeats(),
                      getInputDim() / getNumRepeats());
}
LogicalResult
NaturalGradientRepeatedAffineOp::initializeParameters(ParameterInitializer &i) {
  return initializeBlocks(*this, getOutputDim() / getNumRepeats(),
                          getInputDim() / getNumRepeats(), /*biasStddev=*/0, i);
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/BlockComponentOps.cpp.inc"
