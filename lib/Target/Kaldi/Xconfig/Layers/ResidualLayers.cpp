//===- ResidualLayers.cpp - Residual blocks of convolutions ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConvolutionKeys.h"

using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kBlockKeys[] = {
    intKey("num-bottleneck-filters", "-1"),
    intKey("time-period", "1", Range::NonNegative),
    intKey("height-period", "1", Range::NonNegative),
    floatKey("self-repair-scale", "2e-05", Range::Proportion),
    floatKey("self-repair-lower-threshold1", "0.05", Range::Any),
    floatKey("self-repair-lower-threshold2", "0.05", Range::Any),
    floatKey("self-repair-lower-threshold3", "0.05", Range::Any),
    boolKey("allow-zero-padding", "true")};

//===----------------------------------------------------------------------===//
// The convolutions of a block
//===----------------------------------------------------------------------===//

/// Returns the offsets -period, 0 and period without duplicates.
static std::string getOffsets(int64_t period) {
  if (period == 0)
    return "0";
  std::string text = std::to_string(period);
  return "-" + text + ",0," + text;
}

/// Returns a convolution over three frames and three heights.
static ConvolutionShape makeWide(const Layer &layer, ImageSize in,
                                 ImageSize out, int64_t timePeriod) {
  ConvolutionShape shape = {in, out};
  shape.timeOffsets = getOffsets(timePeriod);
  shape.heightOffsets = getOffsets(layer.getInt("height-period"));
  if (layer.getBool("allow-zero-padding"))
    shape.requiredTimeOffsets = "0";
  return shape;
}

/// Returns the convolutions of a block: two wide ones, or a wide one between
/// two that reduce and restore the number of filters. The first one may halve
/// the height; if it is wide, its time period is halved as well.
static llvm::SmallVector<ConvolutionShape>
getShapes(const Layer &layer, ImageSize in, ImageSize out) {
  int64_t period = layer.getInt("time-period");
  int64_t subsample = in.height == out.height ? 1 : 2;
  int64_t bottleneck = layer.getInt("num-bottleneck-filters");
  llvm::SmallVector<ConvolutionShape> shapes;
  if (bottleneck > 0) {
    ImageSize narrow = {out.height, bottleneck};
    shapes.push_back({in, narrow});
    shapes.push_back(makeWide(layer, narrow, narrow, period));
    shapes.push_back({narrow, out});
  } else {
    shapes.push_back(makeWide(layer, in, out, period / subsample));
    shapes.push_back(makeWide(layer, out, out, period));
  }
  shapes.front().subsample = subsample;
  return shapes;
}

//===----------------------------------------------------------------------===//
// res-block: activations before convolutions
//===----------------------------------------------------------------------===//

static constexpr LayerKey kResKeys[] = {requiredKey("height"),
                                        intKey("num-filters", "-1"),
                                        textKey("bypass-source", "noop")};

/// Returns the node that bypasses the block.
static std::optional<std::string> getBypass(const LayerWriter &writer) {
  llvm::StringRef source = writer.layer.getText("bypass-source");
  if (source == "noop" || source == "input")
    return writer.layer.getInput().str();
  if (source == "relu")
    return writer.local("relu1");
  if (source == "batchnorm")
    return writer.local("batchnorm1");
  return std::nullopt;
}

static LogicalResult expandRes(Layer &layer, LayerWriter &writer) {
  int64_t dim = layer.getInputDim();
  ImageSize size = {layer.getInt("height"), 0};
  if (dim % size.height != 0)
    return layer.expected("height", "a divisor of the dim of the input, " +
                                        llvm::Twine(dim));
  size.filters = layer.deriveInt("num-filters", dim / size.height);
  if (size.filters != dim / size.height)
    return layer.expected("num-filters",
                          "the dim of the input divided by height, " +
                              llvm::Twine(dim / size.height));
  std::optional<std::string> bypass = getBypass(writer);
  if (!bypass)
    return layer.expected("bypass-source", "noop, input, relu or batchnorm");

  std::string node = layer.getInput().str();
  for (const auto &[i, shape] : llvm::enumerate(getShapes(layer, size, size))) {
    std::string n = std::to_string(i + 1);
    node = makeImageRelu(writer, "relu" + n, shape.in,
                         "self-repair-lower-threshold" + n)
               .from(node);
    node = writer.step("batchnorm" + n)
               .set("dim", shape.in.getDim())
               .set("block-dim", shape.in.filters)
               .from(node);
    node = makeConvolution(writer, "conv" + n, shape).from(node);
  }
  if (layer.getText("bypass-source") == "noop")
    node = writer.step("noop").set("dim", dim).from(sumOf(*bypass, node));
  else
    node = sumOf(node, *bypass);
  layer.setOutput(node, dim);
  return success();
}

//===----------------------------------------------------------------------===//
// res2-block: activations after convolutions
//===----------------------------------------------------------------------===//

static constexpr LayerKey kRes2Keys[] = {
    intKey("height", "-1"), intKey("height-in", "-1"),
    intKey("height-out", "-1"), requiredKey("num-filters")};

/// Derives the sizes of the images before and after the block.
static LogicalResult getSizes(Layer &layer, ImageSize &in, ImageSize &out) {
  in.height = layer.deriveInt("height-in", layer.getInt("height"));
  out.height = layer.deriveInt("height-out", layer.getInt("height"));
  if (in.height <= 0 || out.height <= 0)
    return emitError(layer.getLoc())
           << "res2-block '" << layer.getName()
           << "' has neither height nor height-in and height-out";
  if (in.height != out.height && in.height / 2 != out.height &&
      (in.height + 1) / 2 != out.height)
    return layer.expected("height-out", "height-in, " + llvm::Twine(in.height) +
                                            ", or half of it");
  if (layer.getInputDim() % in.height != 0)
    return layer.expected("height-in", "a divisor of the dim of the input, " +
                                           llvm::Twine(layer.getInputDim()));
  in.filters = layer.getInputDim() / in.height;
  out.filters = layer.getInt("num-filters");
  return success();
}

static LogicalResult expandRes2(Layer &layer, LayerWriter &writer) {
  ImageSize in = {}, out = {};
  if (failed(getSizes(layer, in, out)))
    return failure();
  auto shapes = getShapes(layer, in, out);
  std::string bypass = layer.getInput().str(), node = bypass;
  if (!(in == out)) {
    ConvolutionShape shape = {in, out, shapes.front().subsample};
    bypass =
        makeConvolution(writer, "conv_bypass", shape).from(layer.getInput());
  }
  for (const auto &[i, shape] : llvm::enumerate(shapes)) {
    std::string n = std::to_string(i + 1);
    int64_t dim = shape.out.getDim();
    node = makeConvolution(writer, "conv" + n, shape).from(node);
    node = writer.step("batchnorm" + n)
               .set("dim", dim)
               .set("block-dim", shape.out.filters)
               .from(node);
    node = writer.step("scaleoffset" + n)
               .set("dim", dim)
               .set("block-dim", shape.out.filters)
               .from(node);
    if (i + 1 == shapes.size())
      node = sumOf(node, bypass);
    node = makeImageRelu(writer, "relu" + n, shape.out,
                         "self-repair-lower-threshold" + n)
               .from(node);
  }
  layer.setOutput(node, out.getDim());
  return success();
}

static const LayerType kLayers[] = {
    {"res-block", expandRes, {kResKeys, kBlockKeys, kConvolutionKeys}},
    {"res2-block", expandRes2, {kRes2Keys, kBlockKeys, kConvolutionKeys}},
};

llvm::ArrayRef<LayerType> getResidualLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
