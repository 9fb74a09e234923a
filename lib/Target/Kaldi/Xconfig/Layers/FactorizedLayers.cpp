//===- FactorizedLayers.cpp - Layers of low rank --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../LayerWriter.h"

using llvm::LogicalResult;
using llvm::success;

namespace mlir::nnet3::xconfig {

//===----------------------------------------------------------------------===//
// tdnnf-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kTdnnfKeys[] = {
    kDim,
    requiredKey("bottleneck-dim"),
    floatKey("bypass-scale", "0.66", Range::WithinOne),
    floatKey("dropout-proportion", "-1.0", Range::ProportionOrNone),
    intKey("time-stride", "1", Range::NonNegative),
    floatKey("l2-regularize", "0.0"),
    floatKey("max-change", "0.75"),
    floatKey("self-repair-scale", "1e-05", Range::Proportion),
    textKey("context", "default")};

/// The time offsets of both factors for the value of key `context`.
struct FactorOffsets {
  std::string linear;
  std::string affine;
};

static std::optional<FactorOffsets> getOffsets(const Layer &layer) {
  int64_t stride = layer.getInt("time-stride");
  std::string here = "0", left = here, right = here;
  if (stride != 0) {
    left = std::to_string(-stride) + ",0";
    right = "0," + std::to_string(stride);
  }
  llvm::StringRef context = layer.getText("context");
  if (context == "default")
    return FactorOffsets{left, right};
  if (context == "left-only")
    return FactorOffsets{left, here};
  if (context == "shift-left")
    return FactorOffsets{left, left};
  if (context == "none")
    return FactorOffsets{here, here};
  return std::nullopt;
}

static LogicalResult expandTdnnf(Layer &layer, LayerWriter &writer) {
  int64_t dim = layer.deriveDim();
  bool bypass = layer.getFloat("bypass-scale") != 0;
  if (bypass && dim != layer.getInputDim())
    return layer.expected("dim", "the dim of the input, " +
                                     llvm::Twine(layer.getInputDim()) +
                                     ", as bypass-scale is not 0");
  std::optional<FactorOffsets> offsets = getOffsets(layer);
  if (!offsets)
    return layer.expected("context", "default, left-only, shift-left or none");
  std::string node = writer.component("linear", "TdnnComponent")
                         .set("input-dim", layer.getInputDim())
                         .set("output-dim", layer["bottleneck-dim"])
                         .copy({"l2-regularize", "max-change"})
                         .set("use-bias", "false")
                         .set("time-offsets", offsets->linear)
                         .set("orthonormal-constraint", "-1.0")
                         .from(layer.getInput());
  node = writer.component("affine", "TdnnComponent")
             .set("input-dim", layer["bottleneck-dim"])
             .set("output-dim", layer["dim"])
             .copy({"l2-regularize", "max-change"})
             .set("time-offsets", offsets->affine)
             .from(node);
  node = writer.step("relu")
             .set("dim", layer["dim"])
             .set("self-repair-scale", layer["self-repair-scale"])
             .from(node);
  node = writer.step("batchnorm").set("dim", layer["dim"]).from(node);
  if (layer.getFloat("dropout-proportion") >= 0)
    node = writer.component("dropout", "GeneralDropoutComponent")
               .set("dim", layer["dim"])
               .set("dropout-proportion", layer["dropout-proportion"])
               .set("continuous", "true")
               .from(node);
  if (bypass)
    node = writer.step("noop")
               .set("dim", layer["dim"])
               .from(sumOf("Scale(" + layer.getText("bypass-scale") + ", " +
                               layer.getInput() + ")",
                           node));
  layer.setOutput(node, dim);
  return success();
}

//===----------------------------------------------------------------------===//
// prefinal-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kPrefinalKeys[] = {
    requiredKey("big-dim"), requiredKey("small-dim"),
    floatKey("l2-regularize", "0.0"), floatKey("max-change", "0.75"),
    floatKey("self-repair-scale", "1e-05", Range::Proportion)};

static LogicalResult expandPrefinal(Layer &layer, LayerWriter &writer) {
  std::string node = writer.step("affine")
                         .set("input-dim", layer.getInputDim())
                         .set("output-dim", layer["big-dim"])
                         .copy({"l2-regularize", "max-change"})
                         .from(layer.getInput());
  node = writer.step("relu")
             .set("dim", layer["big-dim"])
             .set("self-repair-scale", layer["self-repair-scale"])
             .from(node);
  node = writer.step("batchnorm1").set("dim", layer["big-dim"]).from(node);
  node = writer.step("linear")
             .set("input-dim", layer["big-dim"])
             .set("output-dim", layer["small-dim"])
             .copy({"l2-regularize", "max-change"})
             .set("orthonormal-constraint", "-1")
             .from(node);
  node = writer.step("batchnorm2").set("dim", layer["small-dim"]).from(node);
  layer.setOutput(node, layer.getInt("small-dim"));
  return success();
}

static const LayerType kLayers[] = {
    {"tdnnf-layer", expandTdnnf, {kTdnnfKeys}},
    {"prefinal-layer", expandPrefinal, {kPrefinalKeys}},
};

llvm::ArrayRef<LayerType> getFactorizedLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
