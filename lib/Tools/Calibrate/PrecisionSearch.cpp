//===- PrecisionSearch.cpp - Searching for the precision of each layer ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/PrecisionSearch.h"
#include "CalibrationData.h"
#include "LayerWeights.h"
#include "PrecisionMix.h"

#include "nnet3/Execution/ChunkedComputer.h"
#include "nnet3/Execution/Chunking.h"
#include "nnet3/Execution/NativeRunner.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/Comparison.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

namespace {

class PrecisionSearch {
public:
  PrecisionSearch(NetworkOp network, Precision precision,
                  const PrecisionSearchOptions &options)
      : network(network), precision(precision), options(options),
        maxError(options.maxError > 0           ? options.maxError
                 : precision == Precision::Int8 ? 0.06
                                                : 0.02) {}

  FailureOr<std::vector<std::string>> run();

private:
  LogicalResult computeExpected(const CalibrationData &data);
  FailureOr<std::unique_ptr<UtteranceComputer>>
  makeComputer(const MatmulPrecision &precision);
  FailureOr<Comparison> measure(const CalibrationData &data,
                                const MatmulPrecision &precision);
  void findLayers();
  LogicalResult roundLayers(const CalibrationData &data);
  void setWeights(size_t layer, ElementsAttr weights);
  LogicalResult measureLayer(const CalibrationData &data, size_t layer);
  LogicalResult choose(const CalibrationData &data);
  void print(const Comparison &mix) const;

  NetworkOp network;
  Precision precision;
  const PrecisionSearchOptions &options;
  double maxError;
  std::vector<LayerPrecisions> layers;
  /// A node of each layer's component, and its original weights; null if
  /// getRowWeights() is null for the node.
  std::vector<ComponentNodeOp> nodes;
  std::vector<ElementsAttr> givenWeights;
  std::vector<Matrix> expected;
  /// The runner of the current choice.
  std::unique_ptr<NativeRunner> runner;
};

} // namespace

FailureOr<std::unique_ptr<UtteranceComputer>>
PrecisionSearch::makeComputer(const MatmulPrecision &precision) {
  NativeOptions native;
  native.precision = precision;
  auto made = NativeRunner::create(network, native);
  if (failed(made))
    return failure();
  runner = std::move(*made);
  if (failed(checkIvectors(*runner, options.utterances, "the model")))
    return failure();
  auto chunking =
      getNetworkChunking(*runner, options.utterances.compute.chunks);
  if (failed(chunking))
    return failure();
  chunking->pads = true;
  return ChunkedComputer::create(*runner, *chunking,
                                 options.utterances.compute);
}

LogicalResult PrecisionSearch::computeExpected(const CalibrationData &data) {
  auto computer = makeComputer(Precision::F32);
  if (failed(computer))
    return failure();
  for (size_t i = 0; i < data.size(); ++i) {
    auto output = (*computer)->compute(data.get(i));
    if (failed(output))
      return failure();
    expected.push_back(std::move(*output));
  }
  return success();
}

FailureOr<Comparison>
PrecisionSearch::measure(const CalibrationData &data,
                         const MatmulPrecision &precision) {
  auto computer = makeComputer(precision);
  if (failed(computer))
    return failure();
  Comparison comparison;
  for (size_t i = 0; i < data.size(); ++i) {
    auto output = (*computer)->compute(data.get(i));
    if (failed(output))
      return failure();
    comparison.add(getView(expected[i]), getView(*output));
  }
  return comparison;
}

/// Finds the components with weights, in the order of their nodes.
void PrecisionSearch::findLayers() {
  SymbolTable symbols(network);
  llvm::StringSet<> seen;
  for (auto node : network.getBody().getOps<ComponentNodeOp>()) {
    int64_t weights = 0;
    symbols.lookup(node.getComponent())
        ->walk([&](AffineKernelInterface affine) {
          weights += affine.getWeightRows() * affine.getWeightColumns();
        });
    if (weights == 0 || !seen.insert(node.getComponent()).second)
      continue;
    layers.push_back({node.getComponent().str(), weights, {}});
    nodes.push_back(node);
  }
}

/// Sets the possible precisions of all layers, with rounded weights.
LogicalResult PrecisionSearch::roundLayers(const CalibrationData &data) {
  for (auto [layer, node] : llvm::zip_equal(layers, nodes)) {
    showOnTerminal("rounding '" + layer.component + "'");
    std::optional<DoubleMatrix> moments;
    AffineKernelInterface component = getRowWeights(node);
    givenWeights.push_back(component ? component->getAttrOfType<ElementsAttr>(
                                           component.getWeightsName())
                                     : ElementsAttr());
    if (component) {
      auto measured = measureMoments(node, data, options.utterances);
      if (failed(measured))
        return failure();
      moments = std::move(*measured);
    }
    SmallVector<Precision> ways = {precision};
    if (precision == Precision::Int8)
      ways.push_back(options.sixteenBits);
    for (Precision way : ways) {
      layer.ways.push_back({way, nullptr, 0});
      // int16 is accurate enough without moments.
      if (!component || way == Precision::Int16)
        continue;
      auto rounded = roundWeights(component, *moments, way);
      if (failed(rounded))
        return failure();
      layer.ways.back().rounded = *rounded;
    }
    layer.ways.push_back({Precision::F32, nullptr, 0});
  }
  return success();
}

/// Sets the weights of a layer to `weights`, or to the original ones if null.
void PrecisionSearch::setWeights(size_t layer, ElementsAttr weights) {
  if (!givenWeights[layer])
    return;
  AffineKernelInterface component = getRowWeights(nodes[layer]);
  component->setAttr(component.getWeightsName(),
                     weights ? weights : givenWeights[layer]);
}

/// Measures layer `number` in each precision, with all other layers in f32.
LogicalResult PrecisionSearch::measureLayer(const CalibrationData &data,
                                            size_t number) {
  LayerPrecisions &layer = layers[number];
  showOnTerminal("measuring '" + layer.component + "'");
  for (LayerPrecisions::Way &way : layer.ways) {
    if (way.precision == Precision::F32)
      continue;
    MatmulPrecision mix(precision);
    for (const LayerPrecisions &other : layers)
      mix.components.push_back(
          other.component + ":" +
          getPrecisionName(&other == &layer ? way.precision : Precision::F32)
              .str());
    setWeights(number, way.rounded);
    auto comparison = measure(data, mix);
    if (failed(comparison))
      return failure();
    const double error = comparison->getRelativeRms();
    way.squaredError = std::isnan(error) ? HUGE_VAL : error * error;
  }
  setWeights(number, nullptr);
  return success();
}

void PrecisionSearch::print(const Comparison &mix) const {
  raw_ostream &os = llvm::errs();
  os << "rms error / rms of the output, by the layer that has fewer bits\n";
  auto row = [&](StringRef name, StringRef share, auto getCell,
                 StringRef chosen) {
    os << llvm::formatv("{0,-32} {1,8}", name, share);
    for (size_t i = 0; i + 1 < layers.front().ways.size(); ++i)
      os << llvm::formatv(" {0,9}", getCell(i));
    os << "  " << chosen << "\n";
  };
  row(
      "layer", "weights",
      [&](size_t i) {
        return getPrecisionName(layers.front().ways[i].precision).str();
      },
      "chosen");
  int64_t weights = 0;
  for (const LayerPrecisions &layer : layers)
    weights += layer.weights;
  for (const LayerPrecisions &layer : layers)
    row(
        layer.component,
        llvm::formatv("{0:F1}%", 100.0 * layer.weights / weights).str(),
        [&](size_t i) {
          return llvm::formatv("{0:F5}", std::sqrt(layer.ways[i].squaredError))
              .str();
        },
        getPrecisionName(layer.getChosen().precision));
  os << llvm::formatv("all layers as chosen: {0:F5}, limit {1:F5}; {2:F2}% of "
                      "rows have the same largest column\n",
                      mix.getRelativeRms(), maxError,
                      100 * mix.getArgmaxShare());
}

/// Chooses precisions and measures the network. Errors of layers are not quite
/// independent, so this repeats with a smaller budget until the error is within
/// the limit.
LogicalResult PrecisionSearch::choose(const CalibrationData &data) {
  double budget = maxError * maxError;
  chooseWithin(budget, layers);
  while (true) {
    for (auto [i, layer] : llvm::enumerate(layers))
      setWeights(i, layer.getChosen().rounded);
    auto comparison = measure(data, {precision, getChoices(layers)});
    if (failed(comparison))
      return failure();
    const double error = comparison->getRelativeRms();
    const bool isExact = llvm::all_of(layers, [](const LayerPrecisions &layer) {
      return layer.getChosen().precision == Precision::F32;
    });
    if (error <= maxError || isExact) {
      print(*comparison);
      return success();
    }
    const std::vector<std::string> before = getChoices(layers);
    budget *= std::isnan(error) ? 0 : maxError * maxError / (error * error);
    do {
      budget *= 0.9;
      chooseWithin(budget, layers);
    } while (budget > 0 && getChoices(layers) == before);
  }
}

FailureOr<std::vector<std::string>> PrecisionSearch::run() {
  findLayers();
  if (layers.empty())
    return std::vector<std::string>();
  auto data = CalibrationData::read(options.features, options.utterances,
                                    options.maxFrames);
  if (!data)
    return emitFileError(network.getContext(), data.takeError());
  if (failed(computeExpected(*data)) || failed(roundLayers(*data)))
    return failure();
  for (size_t i = 0; i < layers.size(); ++i)
    if (failed(measureLayer(*data, i)))
      return failure();
  if (failed(choose(*data)))
    return failure();
  return getChoicesWithErrors(layers);
}

FailureOr<std::vector<std::string>>
mlir::nnet3::searchPrecisions(NetworkOp network, Precision precision,
                              const PrecisionSearchOptions &options) {
  return PrecisionSearch(network, precision, options).run();
}
