// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- nnet3_decodable.h - Streams for Kaldi's decoders ---------*- C++ -*-===//
//
// An adapter from a library of nnet3-compile --streaming to the interface that
// Kaldi's decoders read log-likelihoods from, DecodableInterface. C++17 with
// exceptions, no dependencies; docs/user/Decoders.md shows how to use it.
//
// For the library asr.h:
//
//   #include "asr.h"
//   #include "nnet3/runtime/nnet3_decodable.h"
//   NNET3_STREAM_LIBRARY(asr)
//   using Decodable =
//       nnet3::StreamDecodable<asr_library, kaldi::DecodableInterface>;
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_NNET3_DECODABLE_H
#define NNET3_RUNTIME_NNET3_DECODABLE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Defines the struct PREFIX_library with the types and functions of a library.
#define NNET3_STREAM_LIBRARY(PREFIX)                                           \
  struct PREFIX##_library {                                                    \
    using Model = PREFIX##_model;                                              \
    using Stepper = PREFIX##_stepper;                                          \
    using Status = PREFIX##_status;                                            \
    using Input = PREFIX##_input;                                              \
    using Output = PREFIX##_output;                                            \
    using StreamInfo = PREFIX##_stream_info;                                   \
    using ChunkInfo = PREFIX##_chunk_info;                                     \
    static const char *getText(Status status) {                                \
      return PREFIX##_error_text(status);                                      \
    }                                                                          \
    static Status getStreamInfo(const Model *model, StreamInfo *info) {        \
      return PREFIX##_get_stream_info(model, info);                            \
    }                                                                          \
    static Status getChunkInfo(const Model *model, int32_t chunk,              \
                               ChunkInfo *info) {                              \
      return PREFIX##_get_chunk_info(model, chunk, info);                      \
    }                                                                          \
    static Status initState(const Model *model, void *state, uint64_t size) {  \
      return PREFIX##_state_init(model, state, size);                          \
    }                                                                          \
    static Status createStepper(const Model *model, Stepper **stepper) {       \
      return PREFIX##_stepper_create(model, nullptr, stepper);                 \
    }                                                                          \
    static void destroyStepper(Stepper *stepper) {                             \
      PREFIX##_stepper_destroy(stepper);                                       \
    }                                                                          \
    static Status step(Stepper *stepper, void *state, int32_t numFrames,       \
                       const Input *inputs, int32_t numInputs,                 \
                       const Output *output) {                                 \
      return PREFIX##_stepper_step(stepper, state, numFrames, inputs,          \
                                   numInputs, output);                         \
    }                                                                          \
  };

namespace nnet3 {

/// Options that map outputs to log-likelihoods.
struct DecodableOptions {
  /// Frames of a chunk, one of the library's lengths; 0: the longest. The
  /// length changes latency and cost, but not the outputs.
  int32_t chunkFrames = 0;
  /// Factor of the log-likelihoods.
  float acousticScale = 1;
  /// The prior probability of each output, whose logarithm is subtracted; empty
  /// for models without priors, such as chain models.
  std::vector<float> priors;
  /// The output of each index, such as the pdf of each transition-id; element 0
  /// is unused. Empty: index i is output i - 1.
  std::vector<int32_t> outputOfIndex;
  /// Writes the i-vector for a chunk. The chunk reads the first \p numFrames
  /// frames of the utterance. Not needed if the network takes no i-vectors.
  std::function<void(int64_t numFrames, float *ivector)> ivector;
};

/// The log-likelihoods of one utterance, which arrives frame by frame. Output
/// frames must be requested in ascending order: acceptFrames() and finish()
/// discard those before the latest requested one.
///
/// \p Library is defined by NNET3_STREAM_LIBRARY. \p Interface is
/// kaldi::DecodableInterface, or anything with these four functions. Errors are
/// thrown as std::runtime_error.
template <typename Library, typename Interface>
class StreamDecodable : public Interface {
public:
  /// \p model must outlive this object.
  StreamDecodable(const typename Library::Model *model,
                  DecodableOptions givenOptions)
      : options(std::move(givenOptions)), model(model),
        stepper(nullptr, Library::destroyStepper), state(nullptr, std::free) {
    open();
    prepareOptions();
    reset();
  }

  /// Starts another utterance.
  void reset() {
    check(Library::initState(model, state.get(), info.state_bytes));
    frames.clear();
    outputs.clear();
    numFrames = numComputed = firstOutput = numOutputs = 0;
    latest = -1;
    isFinished = false;
  }

  /// Adds \p count frames of features, \p stride floats apart.
  void acceptFrames(const float *rows, int64_t count, int64_t stride) {
    if (isFinished)
      throw std::runtime_error("the utterance has finished");
    forget();
    for (int64_t r = 0; r < count; ++r)
      acceptFrame(rows + r * stride);
    while (const auto *chunk = findNext())
      compute(*chunk);
  }

  /// Ends the utterance and computes the remaining outputs.
  void finish() {
    if (isFinished)
      return;
    forget();
    isFinished = true;
    const int64_t factor = info.frame_subsampling_factor;
    const int64_t wanted = (numFrames + factor - 1) / factor;
    while (numOutputs < wanted) {
      const auto &chunk = findShortest(numFrames - numComputed);
      // Pad with copies of the last frame.
      while (countFrames() < countInputRows(chunk))
        frames.insert(frames.end(), last.begin(), last.end());
      compute(chunk);
    }
    numOutputs = wanted;
  }

  int32_t NumFramesReady() const override {
    return static_cast<int32_t>(numOutputs);
  }

  bool IsLastFrame(int32_t frame) const override {
    return isFinished && frame + 1 >= numOutputs;
  }

  float LogLikelihood(int32_t frame, int32_t index) override {
    if (frame < firstOutput || frame >= numOutputs)
      throw std::runtime_error("frame " + std::to_string(frame) +
                               " is not ready, or is forgotten");
    latest = std::max<int64_t>(latest, frame);
    const int32_t output = options.outputOfIndex.empty()
                               ? index - 1
                               : options.outputOfIndex[index];
    return outputs[(frame - firstOutput) * info.output_dim + output];
  }

  int32_t NumIndices() const override {
    return options.outputOfIndex.empty()
               ? info.output_dim
               : static_cast<int32_t>(options.outputOfIndex.size()) - 1;
  }

private:
  using ChunkInfo = typename Library::ChunkInfo;

  template <typename Struct> static Struct sized() {
    Struct value = {};
    value.struct_size = sizeof(value);
    return value;
  }

  static void check(typename Library::Status status) {
    if (status != 0)
      throw std::runtime_error(Library::getText(status));
  }

  void open() {
    info = sized<typename Library::StreamInfo>();
    check(Library::getStreamInfo(model, &info));
    for (int32_t i = 0; i < info.num_chunks; ++i) {
      chunks.push_back(sized<ChunkInfo>());
      check(Library::getChunkInfo(model, i, &chunks.back()));
    }
    typename Library::Stepper *created = nullptr;
    check(Library::createStepper(model, &created));
    stepper.reset(created);
    // PREFIX_ALIGNMENT of the library's header.
    constexpr uint64_t kAlignment = 64;
    state.reset(
        std::aligned_alloc(kAlignment, (info.state_bytes + kAlignment - 1) /
                                           kAlignment * kAlignment));
    if (!state)
      throw std::bad_alloc();
  }

  void prepareOptions() {
    const auto isUsual = [&](const ChunkInfo &chunk) {
      return chunk.num_frames == options.chunkFrames;
    };
    if (options.chunkFrames == 0)
      options.chunkFrames = chunks.back().num_frames;
    else if (std::none_of(chunks.begin(), chunks.end(), isUsual))
      throw std::runtime_error("the library has no chunks of " +
                               std::to_string(options.chunkFrames) + " frames");
    if (!options.priors.empty() &&
        options.priors.size() != static_cast<size_t>(info.output_dim))
      throw std::runtime_error("expects " + std::to_string(info.output_dim) +
                               " priors, but got " +
                               std::to_string(options.priors.size()));
    for (size_t i = 1; i < options.outputOfIndex.size(); ++i)
      if (options.outputOfIndex[i] < 0 ||
          options.outputOfIndex[i] >= info.output_dim)
        throw std::runtime_error("index " + std::to_string(i) +
                                 " has no output");
    if (info.ivector_dim > 0 && !options.ivector)
      throw std::runtime_error("the network takes i-vectors");
    for (float &prior : options.priors)
      prior = std::log(prior);
  }

  /// Discards the outputs before the latest requested one.
  void forget() {
    const int64_t count = std::min(latest, numOutputs) - firstOutput;
    if (count <= 0)
      return;
    outputs.erase(outputs.begin(), outputs.begin() + count * info.output_dim);
    firstOutput += count;
  }

  void acceptFrame(const float *row) {
    // Pad the left context with copies of the first frame.
    const int32_t copies = numFrames++ == 0 ? info.left_context + 1 : 1;
    for (int32_t i = 0; i < copies; ++i)
      frames.insert(frames.end(), row, row + info.input_dim);
    last.assign(row, row + info.input_dim);
  }

  int64_t countFrames() const {
    return static_cast<int64_t>(frames.size()) / info.input_dim;
  }
  int32_t countInputRows(const ChunkInfo &chunk) const {
    return numComputed > 0 ? chunk.next_input_rows : chunk.first_input_rows;
  }

  /// Returns the shortest possible chunk of at least min(\p count, chunkFrames)
  /// frames, or the longest chunk if there is none.
  const ChunkInfo &findShortest(int64_t count) const {
    count = std::min<int64_t>(count, options.chunkFrames);
    for (const ChunkInfo &chunk : chunks)
      if ((numComputed > 0 || chunk.can_begin) && chunk.num_frames >= count)
        return chunk;
    return chunks.back();
  }

  /// Returns the next chunk if all of its input frames are there, or null.
  const ChunkInfo *findNext() const {
    const ChunkInfo &chunk = findShortest(options.chunkFrames);
    return countFrames() >= countInputRows(chunk) ? &chunk : nullptr;
  }

  void compute(const ChunkInfo &chunk) {
    const int32_t rows = countInputRows(chunk), cols = info.input_dim;
    const int32_t ivectorRows =
        numComputed > 0 ? chunk.next_ivector_rows : chunk.first_ivector_rows;
    ivectors.resize(size_t(ivectorRows) * info.ivector_dim);
    if (!ivectors.empty()) {
      const int64_t numRead =
          numComputed + chunk.num_frames + info.right_context;
      options.ivector(std::min(numRead, numFrames), ivectors.data());
      for (int32_t r = 1; r < ivectorRows; ++r)
        std::copy_n(ivectors.begin(), info.ivector_dim,
                    ivectors.begin() + int64_t(r) * info.ivector_dim);
    }
    const typename Library::Input inputs[] = {
        {frames.data(), cols, rows, cols},
        {ivectors.data(), info.ivector_dim, ivectorRows, info.ivector_dim}};
    const size_t begin = outputs.size();
    outputs.resize(begin + size_t(chunk.output_rows) * info.output_dim);
    const typename Library::Output output = {outputs.data() + begin,
                                             info.output_dim, chunk.output_rows,
                                             info.output_dim};
    check(Library::step(stepper.get(), state.get(), chunk.num_frames, inputs,
                        info.ivector_dim > 0 ? 2 : 1, &output));
    frames.erase(frames.begin(), frames.begin() + int64_t(rows) * cols);
    numComputed += chunk.num_frames;
    numOutputs += chunk.output_rows;
    for (size_t i = begin; i < outputs.size(); ++i) {
      if (!options.priors.empty())
        outputs[i] -= options.priors[(i - begin) % options.priors.size()];
      outputs[i] *= options.acousticScale;
    }
  }

  DecodableOptions options;
  const typename Library::Model *model;
  typename Library::StreamInfo info;
  std::vector<ChunkInfo> chunks; ///< ascending
  std::unique_ptr<typename Library::Stepper,
                  void (*)(typename Library::Stepper *)>
      stepper;
  std::unique_ptr<void, void (*)(void *)> state;

  /// Input frames of the next chunks, the last frame, the i-vector rows of a
  /// chunk, and outputs from `firstOutput` on.
  std::vector<float> frames, last, ivectors, outputs;
  /// Numbers of accepted frames, and of frames whose outputs are computed.
  int64_t numFrames = 0, numComputed = 0;
  int64_t firstOutput = 0, numOutputs = 0;
  /// The latest requested output.
  int64_t latest = -1;
  bool isFinished = false;
};

} // namespace nnet3

#endif // NNET3_RUNTIME_NNET3_DECODABLE_H
