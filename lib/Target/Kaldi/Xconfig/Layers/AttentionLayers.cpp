//===- AttentionLayers.cpp - Attention to nearby frames -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../LayerWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using llvm::LogicalResult;
using llvm::success;

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kKeys[] = {
    // Has no effect, as in Kaldi.
    kDim,
    intKey("num-heads", "1", Range::Positive),
    requiredKey("key-dim"),
    requiredKey("value-dim"),
    requiredKey("num-left-inputs", Range::NonNegative),
    requiredKey("num-right-inputs", Range::NonNegative),
    intKey("num-left-inputs-required", "-1"),
    intKey("num-right-inputs-required", "-1"),
    intKey("time-stride", "1", Range::Positive),
    boolKey("output-context", "true"),
    floatKey("key-scale", "0.0"),
    floatKey("max-change", "0.75"),
    floatKey("self-repair-scale", "1e-05", Range::Proportion),
    floatKey("target-rms", "1.0", Range::Positive),
    floatKey("learning-rate-factor", "1.0"),
    floatKey("l2-regularize", "0.0"),
    textKey("ng-affine-options")};

static Component makeAttention(LayerWriter &writer) {
  return writer.component("attention", "RestrictedAttentionComponent")
      .copy({"num-heads", "key-dim", "value-dim", "num-left-inputs",
             "num-right-inputs", "num-left-inputs-required",
             "num-right-inputs-required", "time-stride", "output-context",
             "key-scale"});
}

/// Begins the component of another step, for `dim` columns.
static Component makeStep(LayerWriter &writer, llvm::StringRef step,
                          int64_t dim) {
  Layer &layer = writer.layer;
  if (step == "relu")
    return writer.step(step)
        .set("dim", dim)
        .set("self-repair-scale", layer["self-repair-scale"]);
  return writer.step(step)
      .set("dim", dim)
      .set("target-rms", layer["target-rms"]);
}

static LogicalResult expand(Layer &layer, LayerWriter &writer) {
  if (layer.getFloat("key-scale") == 0)
    layer.setFloat("key-scale", 1 / std::sqrt(layer.getInt("key-dim")));
  int64_t context =
      layer.getInt("num-left-inputs") + 1 + layer.getInt("num-right-inputs");
  int64_t heads = layer.getInt("num-heads");
  int64_t keyDim = layer.getInt("key-dim");
  int64_t valueDim = layer.getInt("value-dim");
  // A head has a key, a value, and a query with an additional number per frame
  // of context.
  int64_t dim;
  if (llvm::MulOverflow(heads, 2 * keyDim + valueDim + context, dim))
    return layer.expected("num-heads", "such that 32 bits can count columns");
  int64_t outputDim =
      heads * (valueDim + (layer.getBool("output-context") ? context : 0));
  std::string node =
      writer.step("affine")
          .set("input-dim", layer.getInputDim())
          .set("output-dim", dim)
          .options("ng-affine-options")
          .copy({"learning-rate-factor", "max-change", "l2-regularize"})
          .from(layer.getInput());
  llvm::StringRef steps = layer.getType()->name;
  steps.consume_back("-layer");
  for (llvm::StringRef step : llvm::split(steps, '-')) {
    if (step == "attention") {
      node = makeAttention(writer).from(node);
      dim = outputDim;
    } else {
      node = makeStep(writer, step, dim).from(node);
    }
  }
  layer.setOutput(node, outputDim);
  return success();
}

static const LayerType kLayers[] = {
    {"attention-renorm-layer", expand, {kKeys}},
    {"attention-relu-renorm-layer", expand, {kKeys}},
    {"attention-relu-batchnorm-layer", expand, {kKeys}},
    {"relu-renorm-attention-layer", expand, {kKeys}},
};

llvm::ArrayRef<LayerType> getAttentionLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
