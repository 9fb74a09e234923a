//===- InputOutputLayers.cpp - Inputs and outputs of networks -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../LayerWriter.h"

#include <cmath>

using llvm::LogicalResult;
using llvm::success;

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kOutputDelay = intKey("output-delay", "0");
static constexpr LayerKey kObjective = {"objective-type", ValueKind::Text,
                                        "linear", Range::Objective};

static constexpr LayerKey kInputKeys[] = {requiredKey("dim")};

static LogicalResult expandInput(Layer &layer, LayerWriter &writer) {
  writer.write(Statement("input-node", layer.getLoc())
                   .add("name", layer.getName(), layer.getLoc())
                   .add("dim", layer["dim"]),
               Init | Usual);
  layer.setOutput(layer.getName(), layer.getInt("dim"));
  return success();
}

static constexpr LayerKey kOutputKeys[] = {kDim, kObjective, kOutputDelay};

static LogicalResult expandOutput(Layer &layer, LayerWriter &writer) {
  // An output layer takes the dim of its input, whatever the key says.
  if (layer.deriveDim() != layer.getInputDim())
    emitWarning(layer["dim"].loc)
        << "dim " << layer.getInt("dim") << " is ignored: the input has "
        << layer.getInputDim() << " columns";
  writer.output(layer.getName(), layer.getInput(),
                layer.getText("objective-type"), layer.getInt("output-delay"));
  return success();
}

static constexpr LayerKey kOutputLayerKeys[] = {
    requiredKey("dim"),
    intKey("bottleneck-dim", "-1"),
    floatKey("orthonormal-constraint", "1.0", Range::Positive),
    boolKey("include-log-softmax", "true"),
    kObjective,
    kOutputDelay,
    textKey("ng-affine-options"),
    textKey("ng-linear-options"),
    textKey("learning-rate-factor"),
    textKey("l2-regularize"),
    floatKey("max-change", "1.5"),
    floatKey("param-stddev", "0.0"),
    floatKey("bias-stddev", "0.0")};

/// Writes the linear part of an output layer. Its max-change is independent of
/// the layer's.
static std::string writeBottleneck(Layer &layer, LayerWriter &writer) {
  double constraint = layer.getFloat("orthonormal-constraint");
  return writer.step("linear")
      .set("input-dim", layer.getInputDim())
      .set("output-dim", layer["bottleneck-dim"])
      .set("orthonormal-constraint", layer["orthonormal-constraint"])
      .setReal("param-stddev", constraint / std::sqrt(layer.getInputDim()))
      .set("max-change", "0.75")
      .options("ng-linear-options")
      .copy({"learning-rate-factor", "l2-regularize"})
      .from(layer.getInput());
}

static LogicalResult expandOutputLayer(Layer &layer, LayerWriter &writer) {
  std::string node = layer.getInput().str();
  int64_t dim = layer.getInt("dim"), affineDim = layer.getInputDim();
  if (layer.getInt("bottleneck-dim") > 0) {
    node = writeBottleneck(layer, writer);
    affineDim = layer.getInt("bottleneck-dim");
  }
  node = writer.step("affine")
             .set("input-dim", affineDim)
             .set("output-dim", layer["dim"])
             .options("ng-affine-options")
             .copy({"learning-rate-factor", "l2-regularize", "max-change",
                    "param-stddev", "bias-stddev"})
             .from(node);
  layer.addOutput("affine", node, dim);
  if (layer.getBool("include-log-softmax")) {
    node = writer.step("log-softmax").set("dim", layer["dim"]).from(node);
    layer.addOutput("log-softmax", node, dim);
  }
  writer.output(layer.getName(), node, layer.getText("objective-type"),
                layer.getInt("output-delay"));
  return success();
}

static const LayerType kLayers[] = {
    {"input", expandInput, {kInputKeys}},
    {"output", expandOutput, {kOutputKeys}},
    {"output-layer", expandOutputLayer, {kOutputLayerKeys}},
};

llvm::ArrayRef<LayerType> getInputOutputLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
