//===- FeedForwardLayers.cpp - Affine maps and nonlinearities -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../LayerWriter.h"

#include "llvm/ADT/StringExtras.h"
#include <cmath>

using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;

namespace mlir::nnet3::xconfig {

//===----------------------------------------------------------------------===//
// relu-batchnorm-layer and the like
//===----------------------------------------------------------------------===//

static constexpr LayerKey kNonlinearKeys[] = {
    kDim,
    intKey("bottleneck-dim", "-1"),
    floatKey("self-repair-scale", "1e-05", Range::Proportion),
    floatKey("target-rms", "1.0", Range::Positive),
    textKey("ng-affine-options"),
    textKey("ng-linear-options"),
    boolKey("dropout-per-dim", "false"),
    boolKey("dropout-per-dim-continuous", "false"),
    boolKey("add-log-stddev", "false"),
    textKey("bias-stddev"),
    textKey("l2-regularize"),
    textKey("learning-rate-factor"),
    floatKey("max-change", "0.75")};

/// Returns the steps in a layer's name: relu and batchnorm for
/// `relu-batchnorm-layer`.
static llvm::SmallVector<llvm::StringRef, 4> getSteps(const Layer &layer) {
  llvm::StringRef name = layer.getType()->name;
  name.consume_back("-layer");
  return llvm::SmallVector<llvm::StringRef, 4>(llvm::split(name, '-'));
}

static Component makeDropout(Layer &layer, LayerWriter &writer) {
  bool continuous = layer.getBool("dropout-per-dim-continuous");
  bool perDim = layer.getBool("dropout-per-dim") || continuous;
  Component dropout =
      perDim ? writer.component("dropout", "GeneralDropoutComponent")
             : writer.step("dropout");
  dropout.set("dim", layer["dim"])
      .set("dropout-proportion", layer["dropout-proportion"]);
  if (continuous)
    dropout.set("continuous", "true");
  return dropout;
}

/// Begins the component of one step, with `dim` input columns.
static Component makeStep(Layer &layer, LayerWriter &writer,
                          llvm::StringRef step, int64_t dim) {
  if (step == "dropout")
    return makeDropout(layer, writer);
  Component component = writer.step(step);
  component.set("dim", dim, layer["dim"]);
  if (step == "batchnorm" || step == "renorm")
    return component.set("target-rms", layer["target-rms"]);
  if (step == "so")
    return component.set("max-change", "0.5");
  return component.set("self-repair-scale", layer["self-repair-scale"]);
}

static LogicalResult expandNonlinear(Layer &layer, LayerWriter &writer) {
  auto steps = getSteps(layer);
  bool addsStddev = layer.getBool("add-log-stddev");
  if (addsStddev && steps.back() != "renorm")
    return layer.emitError("add-log-stddev")
           << "add-log-stddev needs a layer that ends in renorm";
  int64_t affineDim = layer.deriveDim() - (addsStddev ? 1 : 0);
  int64_t inputDim = layer.getInputDim();
  std::string node = layer.getInput().str();
  if (layer.getInt("bottleneck-dim") > 0) {
    node = writer.step("linear")
               .set("input-dim", inputDim)
               .set("output-dim", layer["bottleneck-dim"])
               .set("orthonormal-constraint", "1.0")
               .options("ng-linear-options")
               .copy({"learning-rate-factor", "max-change"})
               .from(node);
    inputDim = layer.getInt("bottleneck-dim");
  }
  node = writer.step("affine")
             .set("input-dim", inputDim)
             .set("output-dim", affineDim, layer["dim"])
             .options("ng-affine-options")
             .copy({"bias-stddev", "l2-regularize", "learning-rate-factor",
                    "max-change"})
             .from(node);
  for (llvm::StringRef step : steps) {
    Component component = makeStep(layer, writer, step, affineDim);
    if (addsStddev && step.end() == steps.back().end())
      component.set("add-log-stddev", "true");
    node = component.from(node);
  }
  layer.setOutput(node, layer.getInt("dim"));
  return success();
}

//===----------------------------------------------------------------------===//
// affine-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kAffineKeys[] = {
    kDim, floatKey("param-stddev", "-1.0", Range::NonNegative),
    floatKey("bias-stddev", "1.0"), floatKey("bias-mean", "0.0", Range::Any),
    floatKey("max-change", "0.75"), floatKey("l2-regularize", "0.0"),
    // Accepted but without effect, as in Kaldi.
    floatKey("learning-rate-factor", "1.0"), textKey("ng-affine-options")};

static LogicalResult expandAffine(Layer &layer, LayerWriter &writer) {
  int64_t dim = layer.deriveDim();
  if (layer.getFloat("param-stddev") < 0)
    layer.setFloat("param-stddev", 1 / std::sqrt(layer.getInputDim()));
  layer.setOutput(writer.step("", "affine")
                      .set("input-dim", layer.getInputDim())
                      .set("output-dim", layer["dim"])
                      .options("ng-affine-options")
                      .copy({"param-stddev", "bias-stddev", "bias-mean",
                             "max-change", "l2-regularize"})
                      .from(layer.getInput()),
                  dim);
  return success();
}

//===----------------------------------------------------------------------===//
// fixed-affine-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kFixedAffineKeys[] = {
    kDim, requiredTextKey("affine-transform-file"), intKey("delay", "0"),
    boolKey("write-init-config", "true")};

static LogicalResult expandFixedAffine(Layer &layer, LayerWriter &writer) {
  if (layer.getBool("write-init-config")) {
    int64_t delay = layer.getInt("delay");
    std::string input = layer.getInput().str();
    if (delay != 0)
      input = writer.step("delayed", "noop", Init)
                  .set("dim", layer.getInputDim())
                  .from(input);
    writer.output("output", input, "linear", delay, Init);
  }
  int64_t dim = layer.deriveDim();
  writer.expectMatrix("affine-transform-file", dim);
  writer.component("", "FixedAffineComponent", Reference)
      .set("input-dim", layer.getInputDim())
      .set("output-dim", layer["dim"])
      .from(layer.getInput());
  layer.setOutput(writer.component("", "FixedAffineComponent", Final)
                      .set("matrix", layer["affine-transform-file"])
                      .from(layer.getInput()),
                  dim);
  return success();
}

static const LayerType kLayers[] = {
    {"relu-layer", expandNonlinear, {kNonlinearKeys, kNoDropoutStep}},
    {"relu-renorm-layer", expandNonlinear, {kNonlinearKeys, kNoDropoutStep}},
    {"relu-batchnorm-layer", expandNonlinear, {kNonlinearKeys, kNoDropoutStep}},
    {"relu-batchnorm-dropout-layer",
     expandNonlinear,
     {kNonlinearKeys, kDropoutStep}},
    {"relu-dropout-layer", expandNonlinear, {kNonlinearKeys, kDropoutStep}},
    {"relu-batchnorm-so-layer",
     expandNonlinear,
     {kNonlinearKeys, kNoDropoutStep}},
    {"batchnorm-so-relu-layer",
     expandNonlinear,
     {kNonlinearKeys, kNoDropoutStep}},
    {"batchnorm-layer", expandNonlinear, {kNonlinearKeys, kNoDropoutStep}},
    {"sigmoid-layer", expandNonlinear, {kNonlinearKeys, kNoDropoutStep}},
    {"tanh-layer", expandNonlinear, {kNonlinearKeys, kNoDropoutStep}},
    {"affine-layer", expandAffine, {kAffineKeys}},
    {"fixed-affine-layer", expandFixedAffine, {kFixedAffineKeys}},
};

llvm::ArrayRef<LayerType> getFeedForwardLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
