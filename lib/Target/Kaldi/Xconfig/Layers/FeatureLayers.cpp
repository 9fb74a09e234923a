//===- FeatureLayers.cpp - Layers for feature processing ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../LayerWriter.h"

#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ::nnet3::kaldi;

using llvm::failure;
using llvm::LogicalResult;
using llvm::success;
using mlir::nnet3::Descriptor;

namespace mlir::nnet3::xconfig {

//===----------------------------------------------------------------------===//
// idct-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kIdctKeys[] = {
    kDim, floatKey("cepstral-lifter", "22.0"),
    requiredTextKey("affine-transform-file"), kIncludeInInit};

/// Returns the cepstral lifter's factor of coefficient `k`.
static double getLifter(double lifter, int64_t k) {
  constexpr double pi = 3.14159265358979323846;
  return lifter == 0 ? 1 : 1 + 0.5 * lifter * std::sin(pi * k / lifter);
}

/// Returns the inverse of the cosine transform of the cepstra, with a column of
/// zeros for the bias.
static Matrix makeIdct(int64_t rows, int64_t inputs, double lifter) {
  constexpr double pi = 3.14159265358979323846;
  Matrix matrix;
  matrix.rows = rows;
  matrix.cols = inputs + 1;
  matrix.data.resize(rows * (inputs + 1));
  for (int64_t k = 0; k < inputs; ++k) {
    double norm = std::sqrt((k == 0 ? 1.0 : 2.0) / rows);
    norm /= getLifter(lifter, k);
    for (int64_t n = 0; n < rows; ++n)
      matrix.data[n * matrix.cols + k] =
          static_cast<float>(norm * std::cos(pi / rows * (n + 0.5) * k));
  }
  return matrix;
}

static LogicalResult expandIdct(Layer &layer, LayerWriter &writer) {
  // Far above the dim of any features.
  constexpr int64_t maxDim = 1024;
  int64_t dim = layer.deriveDim(), inputs = layer.getInputDim();
  if (dim > maxDim || inputs > maxDim)
    return layer.expected("dim", "at most " + llvm::Twine(maxDim) +
                                     ", and the dim of the input too");
  Matrix matrix = makeIdct(dim, inputs, layer.getFloat("cepstral-lifter"));
  if (!llvm::all_of(matrix.data, [](float x) { return std::isfinite(x); }))
    return layer.expected("cepstral-lifter",
                          "such that the lifter of no cepstrum is 0");
  layer.setOutput(writer.fixedMatrix("affine-transform-file", std::move(matrix),
                                     writer.getConfigs()),
                  dim);
  return success();
}

//===----------------------------------------------------------------------===//
// delta-layer
//===----------------------------------------------------------------------===//

/// Appends first and second order differences. Within a sum a node can have
/// only one scale, so other scales need copies of the node.
static LogicalResult expandDelta(Layer &layer, LayerWriter &writer) {
  if (layer.getInputDescriptor().kind != Descriptor::Kind::Node)
    return emitError(layer.getInputLoc())
           << "delta-layer expects the name of a layer as its input";
  llvm::StringRef node = layer.getInput();
  std::string copies[2];
  for (auto [i, copy] : llvm::enumerate(copies)) {
    copy = (node + "_copy" + llvm::Twine(i + 1)).str();
    writer.write(Statement("dim-range-node", layer.getLoc())
                     .add("name", copy)
                     .add("input-node", node, layer.getInputLoc())
                     .add("dim", llvm::Twine(layer.getInputDim()))
                     .add("dim-offset", "0"),
                 Usual);
  }
  int64_t dim = 3 * layer.getInputDim();
  std::string first = ("Sum(Offset(Scale(-1.0, " + copies[0] +
                       "), -1), Offset(" + node + ", 1))")
                          .str();
  std::string second = ("Sum(Offset(" + node + ", -2), Offset(" + node +
                        ", 2), Scale(-2.0, " + copies[1] + "))")
                           .str();
  std::string all =
      writer.named((node + "_2").str(), "NoOpComponent")
          .set("dim", dim)
          .from("Append(" + node + ", " + first + ", " + second + ")");
  layer.setOutput(writer.step("", "batchnorm").set("dim", dim).from(all), dim);
  return success();
}

//===----------------------------------------------------------------------===//
// spec-augment-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kSpecAugmentKeys[] = {
    floatKey("freq-max-proportion", "0.5", Range::Proportion),
    floatKey("time-zeroed-proportion", "0.2", Range::Proportion),
    intKey("time-mask-max-frames", "20", Range::Positive), kIncludeInInit};

static LogicalResult expandSpecAugment(Layer &layer, LayerWriter &writer) {
  int64_t dim = layer.getInputDim();
  unsigned configs = writer.getConfigs();
  std::string node =
      writer.component("freq-mask", "GeneralDropoutComponent", configs)
          .set("dim", dim)
          .set("specaugment-max-proportion", layer["freq-max-proportion"])
          .from(layer.getInput());
  node = writer.component("time-mask", "SpecAugmentTimeMaskComponent", configs)
             .set("dim", dim)
             .set("zeroed-proportion", layer["time-zeroed-proportion"])
             .set("time-mask-max-frames", layer["time-mask-max-frames"])
             .from(node);
  layer.setOutput(node, dim);
  return success();
}

//===----------------------------------------------------------------------===//
// combine-feature-maps-layer, channel-average-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kCombineKeys[] = {
    requiredKey("height"), requiredKey("num-filters1"),
    requiredKey("num-filters2"),
    intKey("num-filters3", "0", Range::NonNegative)};

/// Combines two or three images to one with the filters of all.
static LogicalResult expandCombine(Layer &layer, LayerWriter &writer) {
  // More columns than any layer has would only exhaust memory.
  constexpr int64_t maxDim = 1 << 20;
  int64_t height = layer.getInt("height"), dim = layer.getInputDim();
  int64_t filters[] = {layer.getInt("num-filters1"),
                       layer.getInt("num-filters2"),
                       layer.getInt("num-filters3")};
  int64_t perHeight = filters[0] + filters[1] + filters[2];
  if (dim > maxDim || perHeight > maxDim || height * perHeight != dim)
    return emitError(layer.getInputLoc())
           << "expects an input of " << height << " x " << perHeight
           << " columns, at most " << maxDim << ", but got " << dim;
  llvm::SmallVector<std::string> columns;
  for (int64_t h = 0; h < height; ++h) {
    int64_t begin = 0;
    for (int64_t count : filters) {
      for (int64_t f = 0; f < count; ++f)
        columns.push_back(std::to_string(begin + h * count + f));
      begin += height * count;
    }
  }
  layer.setOutput(writer.component("", "PermuteComponent")
                      .set("column-map", llvm::join(columns, ","))
                      .from(layer.getInput()),
                  dim);
  return success();
}

static constexpr LayerKey kAverageKeys[] = {requiredKey("dim")};

static LogicalResult expandAverage(Layer &layer, LayerWriter &writer) {
  int64_t dim = layer.getInt("dim"), inputDim = layer.getInputDim();
  if (inputDim % dim != 0)
    return layer.expected("dim", "a divisor of the dim of the input, " +
                                     llvm::Twine(inputDim));
  layer.setOutput(writer.component("", "SumBlockComponent")
                      .set("input-dim", inputDim)
                      .set("output-dim", layer["dim"])
                      .setReal("scale", double(dim) / inputDim)
                      .from(layer.getInput()),
                  dim);
  return success();
}

static const LayerType kLayers[] = {
    {"idct-layer", expandIdct, {kIdctKeys}},
    {"delta-layer", expandDelta, {}},
    {"spec-augment-layer", expandSpecAugment, {kSpecAugmentKeys}},
    {"combine-feature-maps-layer", expandCombine, {kCombineKeys}},
    {"channel-average-layer", expandAverage, {kAverageKeys}},
};

llvm::ArrayRef<LayerType> getFeatureLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
