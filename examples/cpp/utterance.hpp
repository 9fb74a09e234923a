// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// utterance.hpp - Utterances in the chunks of a library, in C++
//
// For libraries made by nnet3-compile --chunk=150,50,21 --prefix=net.

#ifndef UTTERANCE_HPP
#define UTTERANCE_HPP

#include "net.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace net {

/// A request for frames of one sequence, an output every `step` of them, with
/// context around them.
struct Chunk {
  int32_t request;
  int32_t frames, step, left, right;
  /// The fewest outputs that are exact if the frames behind are padding.
  int32_t minOutputs;

  /// The chunk that a request computes, if it computes one.
  static std::optional<Chunk> get(const Model &model, int32_t request) {
    const auto inputs = model.inputs(request), outputs = model.outputs(request);
    if (outputs.size() != 1 || inputs.size() > 2 || inputs[0].name != "input" ||
        (inputs.size() == 2 && inputs[1].rows != 1))
      return std::nullopt;
    const Signature &in = inputs[0], &out = outputs[0];
    const int32_t step = out.rows > 1 ? out.t[1] - out.t[0] : 1;
    if (!isRegular(in, in.t[0], 1) || !isRegular(out, 0, step))
      return std::nullopt;
    const int32_t last = (out.rows - 1) * step;
    return Chunk{request,  out.rows * step,          step,
                 -in.t[0], in.t[in.rows - 1] - last, model.minOutputs(request)};
  }

  int32_t numOutputs() const { return frames / step; }

private:
  /// Whether the rows are those of sequence 0, at equal distances.
  static bool isRegular(const Signature &rows, int32_t first, int32_t step) {
    for (int32_t i = 0; i < rows.rows; ++i)
      if (rows.n[i] != 0 || rows.t[i] != first + i * step)
        return false;
    return true;
  }
};

/// The chunks of a library, the shortest first.
inline std::vector<Chunk> listChunks(const Model &model) {
  std::vector<Chunk> chunks;
  for (int32_t request = 0; request < model.numRequests(); ++request)
    if (const auto chunk = Chunk::get(model, request))
      chunks.push_back(*chunk);
  std::sort(chunks.begin(), chunks.end(),
            [](const Chunk &a, const Chunk &b) { return a.frames < b.frames; });
  return chunks;
}

/// Computes utterances in chunks; one per thread.
class UtteranceRunner {
public:
  explicit UtteranceRunner(const Model &model)
      : model(model), chunks(listChunks(model)) {
    if (chunks.empty())
      throw std::runtime_error("the library has no chunks of one sequence");
  }

  /// All outputs for `features`, a row for each frame. An utterance takes the
  /// longest chunks, and at its end the shortest one that is long enough.
  /// Copies of the first and the last frame stand for those outside.
  Matrix run(const Matrix &features, const std::vector<float> &ivector) {
    const int32_t step = chunks.back().step;
    const int32_t numOutputs = (features.rows + step - 1) / step;
    Matrix output(numOutputs, model.outputs(chunks.back().request)[0].cols);
    for (int32_t first = 0; first < numOutputs;) {
      const int32_t rest = numOutputs - first;
      const Chunk &chunk = choose(rest, step);
      const int32_t count = std::min(rest, chunk.numOutputs());
      if (count < chunk.numOutputs() &&
          (chunk.minOutputs == 0 || count < chunk.minOutputs))
        throw std::runtime_error("the last " + std::to_string(rest * step) +
                                 " frames need a chunk of their length");
      const Matrix rows = compute(chunk, features, first * step, ivector);
      std::copy_n(rows.values.begin(), count * rows.cols,
                  output.values.begin() + first * rows.cols);
      first += count;
    }
    return output;
  }

private:
  /// The shortest chunk of `count` outputs, or the longest one.
  const Chunk &choose(int32_t count, int32_t step) const {
    for (const Chunk &chunk : chunks)
      if (chunk.step == step && chunk.numOutputs() >= count)
        return chunk;
    return chunks.back();
  }

  Matrix compute(const Chunk &chunk, const Matrix &features, int32_t start,
                 const std::vector<float> &ivector) {
    const auto signatures = model.inputs(chunk.request);
    std::vector<Matrix> inputs;
    inputs.emplace_back(signatures[0].rows, features.cols);
    for (int32_t r = 0; r < inputs[0].rows; ++r)
      std::copy_n(features.values.begin() +
                      std::clamp(start - chunk.left + r, 0, features.rows - 1) *
                          features.cols,
                  features.cols, inputs[0].values.begin() + r * features.cols);
    if (signatures.size() == 2) {
      inputs.emplace_back(1, int32_t(ivector.size()));
      inputs[1].values = ivector;
    }
    auto [found, isNew] = instances.try_emplace(chunk.request);
    if (isNew)
      found->second = std::make_unique<Instance>(model, chunk.request);
    return found->second->run(inputs)[0];
  }

  const Model &model;
  std::vector<Chunk> chunks;
  std::map<int32_t, std::unique_ptr<Instance>> instances;
};

} // namespace net

#endif // UTTERANCE_HPP
