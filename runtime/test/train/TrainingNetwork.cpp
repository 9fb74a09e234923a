//===- TrainingNetwork.cpp - Networks that tests train --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingNetwork.h"
#include "core/ComponentState.h"
#include "core/ProgramData.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {

static Attrs joined(Attrs attrs, const Attrs &more) {
  attrs.insert(attrs.end(), more.begin(), more.end());
  return attrs;
}

Layer affineLayer(const std::string &name, int32_t inputDim, int32_t outputDim,
                  uint32_t seed, const Attrs &more, const std::string &type) {
  const Matrix weights = randomMatrix(outputDim, inputDim, seed, 0.5f);
  const Matrix bias = randomMatrix(1, outputDim, seed + 1000, 0.5f);
  return {name, type, outputDim,
          joined({{"input_dim", inputDim},
                  {"output_dim", outputDim},
                  {"linear_params", tensor(weights)},
                  {"bias_params", vectorTensor(bias.values)}},
                 more)};
}

Layer linearLayer(const std::string &name, const Matrix &params,
                  const Attrs &more) {
  return {name, "LinearComponent", params.rows,
          joined({{"input_dim", params.cols},
                  {"output_dim", params.rows},
                  {"params", tensor(params)}},
                 more)};
}

Layer simpleLayer(const std::string &name, const std::string &type,
                  int32_t dim) {
  return {name, type, dim, {{"dim", dim}}};
}

std::shared_ptr<const Program>
componentsOnly(const std::vector<Layer> &layers) {
  ProgramWriter writer;
  for (const Layer &layer : layers)
    writer.component(layer.name, layer.type, layer.attrs);
  return load(writer);
}

namespace {

/// Writes the commands of a chain.
class ChainWriter {
public:
  ChainWriter(const std::vector<Layer> &layers, const ChainRequest &request)
      : layers(layers), request(request), program(componentsOnly(layers)) {}

  void write();
  ProgramWriter writer;

private:
  uint32_t properties(size_t layer) const {
    return program->data().components[layer]->properties();
  }
  void propagate(size_t layer);
  void backprop(size_t layer);
  void setIndexes(ProgramWriter::Io &io) const;

  const std::vector<Layer> &layers;
  const ChainRequest &request;
  std::shared_ptr<const Program> program;
  std::vector<int32_t> values; ///< input, then the output of each layer
  int32_t derivative = -1;     ///< of the output of the current layer
};

void ChainWriter::propagate(size_t layer) {
  const auto component = static_cast<int32_t>(layer);
  values.push_back(writer.zeroed(request.rows, layers[layer].outputDim));
  CommandData forward{Opcode::Propagate};
  forward.component = component;
  forward.src = values[layer];
  forward.dst = values[layer + 1];
  if (properties(layer) & kUsesMemo && request.withBackward)
    forward.memo = component + 1;
  writer.command(forward);
  if (!request.storeStats || !(properties(layer) & kStoresStats))
    return;
  CommandData stats{Opcode::StoreStats};
  stats.component = component;
  stats.inValue = forward.src;
  stats.src = forward.dst;
  stats.memo = forward.memo;
  writer.command(stats);
}

void ChainWriter::backprop(size_t layer) {
  CommandData back{request.updatesModel ? Opcode::Backprop
                                        : Opcode::BackpropNoModelUpdate};
  back.component = static_cast<int32_t>(layer);
  back.src = derivative;
  back.dst =
      writer.zeroed(request.rows, layer == 0 ? request.inputDim
                                             : layers[layer - 1].outputDim);
  if (properties(layer) & kBackpropNeedsInput)
    back.inValue = values[layer];
  if (properties(layer) & kBackpropNeedsOutput)
    back.outValue = values[layer + 1];
  if (properties(layer) & kUsesMemo)
    back.memo = static_cast<int32_t>(layer) + 1;
  writer.command(back);
  derivative = back.dst;
}

/// Sequences are outermost.
void ChainWriter::setIndexes(ProgramWriter::Io &io) const {
  const int32_t length = request.rows / request.numSequences;
  for (int32_t r = 0; r < io.rows; ++r) {
    io.n.push_back(r / length);
    io.t.push_back(r % length);
    io.x.push_back(0);
  }
}

void ChainWriter::write() {
  for (const Layer &layer : layers)
    writer.component(layer.name, layer.type, layer.attrs);
  values = {writer.input("input", request.rows, request.inputDim)};
  for (size_t layer = 0; layer < layers.size(); ++layer)
    propagate(layer);
  writer.output("output", values.back());
  writer.outputs[0].isQuadratic = request.isQuadratic;
  if (request.numSequences > 0)
    setIndexes(writer.outputs[0]);
  if (!request.withBackward)
    return;
  writer.command({Opcode::NoOperationMarker});
  derivative =
      writer.input("output", request.rows, layers.back().outputDim, true);
  for (size_t layer = layers.size(); layer-- > 0;)
    backprop(layer);
}

} // namespace

ProgramWriter writeChain(const std::vector<Layer> &layers,
                         const ChainRequest &request) {
  ChainWriter chain(layers, request);
  chain.write();
  return chain.writer;
}

std::vector<float> parametersOf(const Model &model, int32_t index) {
  std::vector<float> all;
  for (const MatrixView &parameter : model.state(index).parameters)
    all.insert(all.end(), parameter.data,
               parameter.data + int64_t(parameter.rows) * parameter.cols);
  return all;
}

void randomizeParameters(Model &model, int32_t index, uint32_t seed,
                         float scale) {
  for (MatrixView &parameter : model.state(index).parameters) {
    const Matrix values =
        randomMatrix(parameter.rows, parameter.cols, seed++, scale);
    std::copy(values.values.begin(), values.values.end(), parameter.data);
  }
}

} // namespace test
} // namespace rt
} // namespace nnet3
