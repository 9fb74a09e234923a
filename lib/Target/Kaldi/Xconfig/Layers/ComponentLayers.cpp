//===- ComponentLayers.cpp - Layers with a single component ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../LayerWriter.h"

using llvm::LogicalResult;
using llvm::success;
using mlir::nnet3::Descriptor;

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kTargetRms =
    floatKey("target-rms", "1.0", Range::Positive);
static constexpr LayerKey kMaxChange = floatKey("max-change", "0.75");

//===----------------------------------------------------------------------===//
// Without parameters
//===----------------------------------------------------------------------===//

static constexpr LayerKey kRenormKeys[] = {kTargetRms};
static constexpr LayerKey kBatchNormKeys[] = {kTargetRms, kIncludeInInit};

static LogicalResult expandRenorm(Layer &layer, LayerWriter &writer) {
  layer.setOutput(writer.step("", "renorm")
                      .set("dim", layer.getInputDim())
                      .set("target-rms", layer["target-rms"])
                      .from(layer.getInput()),
                  layer.getInputDim());
  return success();
}

static LogicalResult expandBatchNorm(Layer &layer, LayerWriter &writer) {
  layer.setOutput(writer.step("", "batchnorm", writer.getConfigs())
                      .set("dim", layer.getInputDim())
                      .set("target-rms", layer["target-rms"])
                      .from(layer.getInput()),
                  layer.getInputDim());
  return success();
}

static LogicalResult expandNoOp(Layer &layer, LayerWriter &writer) {
  layer.setOutput(writer.step("", "noop")
                      .set("dim", layer.getInputDim())
                      .from(layer.getInput()),
                  layer.getInputDim());
  return success();
}

static constexpr LayerKey kDimRangeKeys[] = {
    kDim, intKey("dim-offset", "0", Range::NonNegative)};

static LogicalResult expandDimRange(Layer &layer, LayerWriter &writer) {
  if (layer.getInputDescriptor().kind != Descriptor::Kind::Node)
    return emitError(layer.getInputLoc())
           << "dim-range-component expects the name of a layer as its input";
  int64_t dim = layer.deriveDim();
  writer.write(Statement("dim-range-node", layer.getLoc())
                   .add("name", layer.getName())
                   .add("input-node", layer.getInput(), layer.getInputLoc())
                   .add("dim", layer["dim"])
                   .add("dim-offset", layer["dim-offset"]),
               Usual);
  layer.setOutput(layer.getName(), dim);
  return success();
}

//===----------------------------------------------------------------------===//
// With parameters
//===----------------------------------------------------------------------===//

static constexpr LayerKey kLinearKeys[] = {kDim,
                                           textKey("orthonormal-constraint"),
                                           kMaxChange,
                                           textKey("l2-regularize"),
                                           textKey("param-stddev"),
                                           textKey("learning-rate-factor")};

static LogicalResult expandLinear(Layer &layer, LayerWriter &writer) {
  int64_t dim = layer.deriveDim();
  layer.setOutput(
      writer.step("", "linear")
          .set("input-dim", layer.getInputDim())
          .set("output-dim", layer["dim"])
          .copy({"orthonormal-constraint", "max-change", "l2-regularize",
                 "param-stddev", "learning-rate-factor"})
          .from(layer.getInput()),
      dim);
  return success();
}

static constexpr LayerKey kAffineKeys[] = {kDim,
                                           textKey("orthonormal-constraint"),
                                           kMaxChange,
                                           textKey("param-stddev"),
                                           textKey("bias-stddev"),
                                           textKey("l2-regularize")};

static LogicalResult expandAffine(Layer &layer, LayerWriter &writer) {
  int64_t dim = layer.deriveDim();
  layer.setOutput(writer.step("", "affine")
                      .set("input-dim", layer.getInputDim())
                      .set("output-dim", layer["dim"])
                      .copy({"orthonormal-constraint", "max-change",
                             "param-stddev", "bias-stddev", "l2-regularize"})
                      .from(layer.getInput()),
                  dim);
  return success();
}

static constexpr LayerKey kPerElementKeys[] = {
    textKey("l2-regularize"), kMaxChange, textKey("param-mean"),
    textKey("param-stddev"), textKey("learning-rate-factor")};

static LogicalResult expandPerElement(Layer &layer, LayerWriter &writer,
                                      llvm::StringRef type) {
  layer.setOutput(writer.component("", type)
                      .set("dim", layer.getInputDim())
                      .copy({"l2-regularize", "max-change", "param-mean",
                             "param-stddev", "learning-rate-factor"})
                      .from(layer.getInput()),
                  layer.getInputDim());
  return success();
}

static LogicalResult expandScale(Layer &layer, LayerWriter &writer) {
  return expandPerElement(layer, writer,
                          "NaturalGradientPerElementScaleComponent");
}

static LogicalResult expandOffset(Layer &layer, LayerWriter &writer) {
  return expandPerElement(layer, writer, "PerElementOffsetComponent");
}

static const LayerType kLayers[] = {
    {"renorm-component", expandRenorm, {kRenormKeys}},
    {"batchnorm-component", expandBatchNorm, {kBatchNormKeys}},
    {"no-op-component", expandNoOp, {}},
    {"dim-range-component", expandDimRange, {kDimRangeKeys}},
    {"linear-component", expandLinear, {kLinearKeys}},
    {"affine-component", expandAffine, {kAffineKeys}},
    {"scale-component", expandScale, {kPerElementKeys}},
    {"offset-component", expandOffset, {kPerElementKeys}},
};

llvm::ArrayRef<LayerType> getComponentLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
