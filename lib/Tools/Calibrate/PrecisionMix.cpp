//===- PrecisionMix.cpp - Choosing precisions of layers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrecisionMix.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the bytes of the weights; the time of a matmul grows with them.
static double getBytes(const LayerPrecisions &layer, size_t way) {
  return layer.weights * 4.0 / getNumbersPerWord(layer.ways[way].precision);
}

namespace {
/// A change of a layer to another precision.
struct Step {
  LayerPrecisions *layer = nullptr;
  size_t way = 0;
  double gain = 0;
};
} // namespace

/// Returns the step with the largest gain: the squared error that each
/// additional byte saves.
static Step findStep(MutableArrayRef<LayerPrecisions> layers) {
  Step best;
  for (LayerPrecisions &layer : layers)
    for (size_t way = layer.chosen + 1; way < layer.ways.size(); ++way) {
      const double saved =
          layer.getChosen().squaredError - layer.ways[way].squaredError;
      const double gain =
          saved / (getBytes(layer, way) - getBytes(layer, layer.chosen));
      if (gain > best.gain)
        best = {&layer, way, gain};
    }
  return best;
}

void mlir::nnet3::chooseWithin(double budget,
                               MutableArrayRef<LayerPrecisions> layers) {
  for (LayerPrecisions &layer : layers)
    layer.chosen = 0;
  auto getSum = [&] {
    double sum = 0;
    for (const LayerPrecisions &layer : layers)
      sum += layer.getChosen().squaredError;
    return sum;
  };
  while (!(getSum() <= budget)) {
    const Step step = findStep(layers);
    if (!step.layer)
      return;
    step.layer->chosen = step.way;
  }
}

std::vector<std::string>
mlir::nnet3::getChoices(ArrayRef<LayerPrecisions> layers) {
  std::vector<std::string> choices;
  for (const LayerPrecisions &layer : layers)
    choices.push_back(layer.component + ":" +
                      getPrecisionName(layer.getChosen().precision).str());
  return choices;
}

std::vector<std::string>
mlir::nnet3::getChoicesWithErrors(ArrayRef<LayerPrecisions> layers) {
  std::vector<std::string> choices;
  for (const LayerPrecisions &layer : layers) {
    const auto &[precision, rounded, squaredError] = layer.getChosen();
    std::string choice =
        layer.component + ":" + getPrecisionName(precision).str();
    if (precision != Precision::F32 && std::isfinite(squaredError))
      choice += llvm::formatv(":{0:F6}", std::sqrt(squaredError)).str();
    choices.push_back(std::move(choice));
  }
  return choices;
}
