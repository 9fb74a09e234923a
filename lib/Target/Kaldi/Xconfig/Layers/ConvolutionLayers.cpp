//===- ConvolutionLayers.cpp - Convolutions over time and height ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConvolutionKeys.h"

#include "../../Config/Numbers.h"
#include "llvm/ADT/StringExtras.h"

using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;

namespace mlir::nnet3::xconfig {

//===----------------------------------------------------------------------===//
// For all layers with convolutions
//===----------------------------------------------------------------------===//

Component makeConvolution(LayerWriter &writer, llvm::StringRef suffix,
                          const ConvolutionShape &shape) {
  Component component =
      writer.component(suffix, "TimeHeightConvolutionComponent");
  component.set("num-filters-in", shape.in.filters)
      .set("num-filters-out", shape.out.filters)
      .set("height-in", shape.in.height)
      .set("height-out", shape.out.height)
      .set("height-subsample-out", shape.subsample)
      .set("time-offsets", shape.timeOffsets)
      .set("height-offsets", shape.heightOffsets);
  if (!shape.requiredTimeOffsets.empty())
    component.set("required-time-offsets", shape.requiredTimeOffsets);
  for (const LayerKey &key : kConvolutionKeys)
    component.copy(key.name);
  return component;
}

Component makeImageRelu(LayerWriter &writer, llvm::StringRef suffix,
                        ImageSize size, llvm::StringRef threshold) {
  return writer.step(suffix)
      .set("dim", size.getDim())
      .set("block-dim", size.filters)
      .set("self-repair-scale", writer.layer["self-repair-scale"])
      .set("self-repair-lower-threshold", writer.layer[threshold]);
}

//===----------------------------------------------------------------------===//
// conv-relu-batchnorm-layer and the like
//===----------------------------------------------------------------------===//

static constexpr LayerKey kKeys[] = {
    requiredKey("height-in"),
    requiredKey("height-out"),
    requiredKey("num-filters-out"),
    intKey("height-subsample-out", "1", Range::Positive),
    textKey("height-offsets"),
    textKey("time-offsets"),
    textKey("required-time-offsets"),
    floatKey("target-rms", "1.0", Range::Positive),
    floatKey("self-repair-scale", "2e-05", Range::Proportion),
    floatKey("self-repair-lower-threshold", "0.05", Range::Any)};

/// Returns the number of integers in the value of a key, or an error.
static llvm::FailureOr<int64_t> countIntegers(const Layer &layer,
                                              llvm::StringRef key) {
  llvm::SmallVector<llvm::StringRef> fields;
  llvm::SplitString(layer.getText(key), fields, ",");
  bool valid = !fields.empty() && llvm::all_of(fields, [](auto field) {
    return parseInteger(field.trim(" \t")).has_value();
  });
  if (!valid)
    return layer.expected(key, "integers, as in '-1,0,1'");
  return static_cast<int64_t>(fields.size());
}

/// Checks that the output, after subsampling, covers the height of the input
/// except for its edges.
static LogicalResult verifyHeights(const Layer &layer) {
  auto times = countIntegers(layer, "time-offsets");
  auto offsets = countIntegers(layer, "height-offsets");
  if (failed(times) || failed(offsets))
    return failure();
  int64_t in = layer.getInt("height-in");
  int64_t covered =
      layer.getInt("height-out") * layer.getInt("height-subsample-out");
  if (covered > in || covered < in - *offsets)
    return layer.expected(
        "height-out", "such that times height-subsample-out it is between " +
                          llvm::Twine(in - *offsets) + " and height-in, " +
                          llvm::Twine(in));
  return success();
}

/// Begins the component of one step, for an image of `size`.
static Component makeStep(LayerWriter &writer, llvm::StringRef step,
                          ImageSize size) {
  Layer &layer = writer.layer;
  if (step == "relu")
    return makeImageRelu(writer, step, size, "self-repair-lower-threshold");
  if (step == "batchnorm")
    return writer.step(step)
        .set("dim", size.getDim())
        .set("block-dim", size.filters)
        .set("target-rms", layer["target-rms"]);
  if (step == "renorm")
    return writer.step(step)
        .set("dim", size.getDim())
        .set("target-rms", layer["target-rms"]);
  if (step == "dropout")
    return writer.step(step)
        .set("dim", size.getDim())
        .set("dropout-proportion", layer["dropout-proportion"]);
  return writer.step(step)
      .set("dim", size.getDim())
      .set("block-dim", size.filters);
}

static LogicalResult expand(Layer &layer, LayerWriter &writer) {
  int64_t dim = layer.getInputDim();
  ImageSize in = {layer.getInt("height-in"), 0};
  ImageSize out = {layer.getInt("height-out"), layer.getInt("num-filters-out")};
  if (dim % in.height != 0)
    return layer.expected("height-in", "a divisor of the dim of the input, " +
                                           llvm::Twine(dim));
  in.filters = dim / in.height;
  llvm::StringRef steps = layer.getType()->name;
  steps.consume_back("-layer");
  if (steps.ends_with("noconv")) {
    if (!(in == out))
      return layer.expected("num-filters-out",
                            llvm::Twine(in.filters) + ", and height-out " +
                                llvm::Twine(in.height) +
                                ", as there is no convolution");
  } else if (failed(verifyHeights(layer))) {
    return failure();
  }
  std::string node = layer.getInput().str();
  ImageSize size = in;
  for (llvm::StringRef step : llvm::split(steps, '-')) {
    if (step == "noconv")
      continue;
    if (step == "conv") {
      ConvolutionShape shape = {in,
                                out,
                                layer.getInt("height-subsample-out"),
                                layer.getText("time-offsets").str(),
                                layer.getText("height-offsets").str(),
                                layer.getText("required-time-offsets").str()};
      node = makeConvolution(writer, step, shape).from(node);
      size = out;
    } else {
      node = makeStep(writer, step, size).from(node);
    }
  }
  layer.setOutput(node, out.getDim());
  return success();
}

static const LayerType kLayers[] = {
    {"conv-layer", expand, {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"conv-relu-layer", expand, {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"conv-renorm-layer", expand, {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"conv-relu-renorm-layer",
     expand,
     {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"conv-relu-batchnorm-layer",
     expand,
     {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"conv-relu-batchnorm-so-layer",
     expand,
     {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"conv-relu-batchnorm-dropout-layer",
     expand,
     {kKeys, kConvolutionKeys, kDropoutStep}},
    {"conv-relu-dropout-layer",
     expand,
     {kKeys, kConvolutionKeys, kDropoutStep}},
    {"relu-conv-layer", expand, {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"relu-conv-renorm-layer",
     expand,
     {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"batchnorm-conv-layer", expand, {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"batchnorm-conv-relu-layer",
     expand,
     {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"relu-batchnorm-conv-layer",
     expand,
     {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"relu-batchnorm-noconv-layer",
     expand,
     {kKeys, kConvolutionKeys, kNoDropoutStep}},
    {"relu-noconv-layer", expand, {kKeys, kConvolutionKeys, kNoDropoutStep}},
};

llvm::ArrayRef<LayerType> getConvolutionLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
