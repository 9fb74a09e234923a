//===- Recurrence.cpp - Common parts of recurrent layers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recurrence.h"

#include <cstdlib>

using llvm::FailureOr;

namespace mlir::nnet3::xconfig {

FailureOr<Recurrence> Recurrence::create(Layer &layer, LayerWriter &writer) {
  Recurrence recurrence(layer, writer);
  int64_t cellDim = layer.deriveInt("cell-dim", layer.getInputDim());
  int64_t delay = std::abs(layer.getInt("delay"));
  if (recurrence.hasKey("decay-time") && layer.getFloat("decay-time") > 0 &&
      layer.getFloat("decay-time") <= delay)
    return layer.expected("decay-time",
                          "more than the delay, " + llvm::Twine(delay));
  recurrence.cellDim = recurrence.recurrentDim = cellDim;
  if (!recurrence.hasKey("recurrent-projection-dim"))
    return recurrence;
  int64_t recurrent = layer.deriveInt("recurrent-projection-dim", cellDim / 4);
  if (recurrent == 0)
    return layer.expected("cell-dim", "at least 4, as the dim that recurs is a "
                                      "quarter of it");
  int64_t both =
      recurrent + layer.deriveInt("non-recurrent-projection-dim", recurrent);
  if (both > cellDim)
    return layer.expected("recurrent-projection-dim",
                          "such that with non-recurrent-projection-dim it is "
                          "at most cell-dim, " +
                              llvm::Twine(cellDim));
  recurrence.recurrentDim = recurrent;
  recurrence.projectionDim = both;
  return recurrence;
}

std::string Recurrence::pastOf(const llvm::Twine &descriptor) const {
  return ("IfDefined(Offset(" + descriptor + ", " + layer.getText("delay") +
          "))")
      .str();
}

Component Recurrence::regularized(Component component) const {
  if (hasKey(kL2Regularize.name) && layer.getFloat(kL2Regularize.name) != 0)
    component.copy(kL2Regularize.name);
  return component;
}

Component Recurrence::affine(llvm::StringRef suffix, int64_t in,
                             int64_t out) const {
  Component component = writer.step(suffix, "affine");
  component.set("input-dim", in)
      .set("output-dim", out)
      .options("ng-affine-options");
  return regularized(std::move(component));
}

Component Recurrence::nonlinearity(llvm::StringRef suffix, llvm::StringRef step,
                                   int64_t dim) const {
  return writer.step(suffix, step)
      .set("dim", dim)
      .set("self-repair-scale", layer["self-repair-scale-nonlinearity"]);
}

Component Recurrence::scale(llvm::StringRef suffix) const {
  Component component =
      writer.component(suffix, "NaturalGradientPerElementScaleComponent");
  component.set("dim", cellDim).options("ng-per-element-scale-options");
  llvm::StringRef options = layer.getText("ng-per-element-scale-options");
  if (!options.contains("param-mean") && !options.contains("param-stddev"))
    component.set("param-mean", "0.0").set("param-stddev", "1.0");
  return component;
}

Component Recurrence::product(llvm::StringRef suffix, int64_t dim) const {
  return writer.step(suffix, "product")
      .set("input-dim", 2 * dim)
      .set("output-dim", dim);
}

Component Recurrence::truncation(llvm::StringRef suffix, int64_t dim) const {
  int64_t delay = std::abs(layer.getInt("delay"));
  Component component = writer.component(suffix, "BackpropTruncationComponent");
  component.set("dim", dim)
      .copy({"clipping-threshold", "zeroing-threshold", "zeroing-interval"})
      .set("recurrence-interval", delay, layer["delay"]);
  if (!hasKey("decay-time"))
    return component;
  // With decay time d, the factor per frame is 1 - 1/d.
  double decayTime = layer.getFloat("decay-time");
  return component.setReal("scale", decayTime > 0 ? 1 - delay / decayTime : 1,
                           layer["decay-time"]);
}

Component Recurrence::dropout(llvm::StringRef suffix, int64_t dim) const {
  return writer.step(suffix, "dropout")
      .set("dim", dim)
      .copy({"dropout-proportion", "dropout-per-frame"});
}

Component Recurrence::batchNorm(llvm::StringRef suffix, int64_t dim) const {
  return writer.step(suffix, "batchnorm")
      .set("dim", dim)
      .set("target-rms", "1.0");
}

Component Recurrence::renorm(llvm::StringRef suffix, int64_t dim) const {
  return writer.step(suffix, "renorm").set("dim", dim).set("target-rms", "1.0");
}

std::string Recurrence::gate(llvm::StringRef name, llvm::StringRef map,
                             int64_t dim, llvm::StringRef dropout,
                             llvm::StringRef predrop) const {
  affine(map, getInputDim() + getRecurrentDim(), dim).define();
  nonlinearity(name, "sigmoid", dim).define();
  std::string result = (name + "_t").str();
  std::string linear = node(result + "_pre", map, inputWithPast("s_t"));
  if (!hasDropout())
    return node(result, name, linear);
  return node(result, dropout, node(predrop, name, linear));
}

} // namespace mlir::nnet3::xconfig
