// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stream.hpp - Live speech through a library, in C++
//
// For libraries made by nnet3-compile --streaming --prefix=net. A Stepper
// computes chunks of any number of streams. A Stream takes frames as they come;
// a copy of a Stream is an independent stream in the same state. pushAll()
// computes streams together, with the same numbers and in less time.

#ifndef STREAM_HPP
#define STREAM_HPP

#include "net.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

namespace net {

/// Computes chunks, one at a time; one per thread. It may outlive the model.
class Stepper {
public:
  explicit Stepper(const Model &opened) : model(opened.get()) {
    info = sized<net_stream_info>();
    check(net_get_stream_info(model, &info));
    for (int32_t i = 0; i < info.num_chunks; ++i) {
      chunks.push_back(sized<net_chunk_info>());
      check(net_get_chunk_info(model, i, &chunks.back()));
    }
    net_stepper *created = nullptr;
    check(net_stepper_create(model, nullptr, &created));
    stepper.reset(created);
  }

  const net_model *model;
  net_stream_info info;
  std::vector<net_chunk_info> chunks; ///< ascending
  net_stepper *get() const { return stepper.get(); }

private:
  struct Destroy {
    void operator()(net_stepper *created) const {
      net_stepper_destroy(created);
    }
  };
  std::unique_ptr<net_stepper, Destroy> stepper;
};

/// The state of a stream, at an aligned address.
class State {
public:
  explicit State(const Stepper &stepper)
      : size(stepper.info.state_bytes), memory(size + NET_ALIGNMENT) {
    check(net_state_init(stepper.model, data(), size));
  }
  State(const State &other) : size(other.size), memory(other.memory.size()) {
    std::memcpy(data(), other.data(), size);
  }
  State &operator=(const State &other) {
    std::memcpy(data(), other.data(), size);
    return *this;
  }

  /// The bytes, with a checksum.
  std::string save(const Stepper &stepper) const {
    const State sealed(*this);
    check(net_state_seal(stepper.model, sealed.data()));
    return std::string(static_cast<const char *>(sealed.data()), size);
  }
  /// Takes bytes of save(); throws if they are damaged or of another library.
  void load(const Stepper &stepper, const std::string &saved) {
    State read(*this);
    std::memcpy(read.data(), saved.data(),
                std::min(saved.size(), size_t(size)));
    check(net_state_check(stepper.model, read.data(), saved.size()));
    *this = read;
  }

  void *data() const {
    const auto address = reinterpret_cast<uintptr_t>(memory.data());
    return const_cast<char *>(memory.data()) +
           (NET_ALIGNMENT - address % NET_ALIGNMENT) % NET_ALIGNMENT;
  }

private:
  uint64_t size;
  std::vector<char> memory;
};

using Frame = std::vector<float>;

/// A stream of frames.
class Stream {
public:
  /// \p ivector is empty if the network takes none.
  explicit Stream(const Stepper &stepper, Frame ivector = {})
      : stepper(&stepper), state(stepper), ivector(std::move(ivector)) {}

  /// Begins another stream in its place.
  void reset(Frame newIvector = {}) {
    *this = Stream(*stepper, std::move(newIvector));
  }

  /// Gives the bytes with which load() goes on, in another process, too.
  std::string save() const;
  /// Throws if the bytes end too early, or if the state in them is damaged or
  /// of another library.
  static Stream load(const Stepper &stepper, const std::string &saved);

  /// Takes a frame and gives the outputs that can be computed by now.
  std::vector<Frame> push(const Frame &frame);

  /// Gives the outputs that are left; copies of the last frame stand for those
  /// behind it.
  std::vector<Frame> finish() {
    const int32_t factor = stepper->info.frame_subsampling_factor;
    const int64_t missing = (numFrames - numComputed + factor - 1) / factor;
    std::vector<Frame> outputs;
    while (int64_t(outputs.size()) < missing) {
      const net_chunk_info &chunk =
          shortest((missing - int64_t(outputs.size())) * factor);
      frames.resize(std::max(frames.size(), rows(chunk)), last);
      step(chunk, {this}, {&outputs});
    }
    outputs.resize(size_t(std::max<int64_t>(missing, 0)));
    return outputs;
  }

private:
  friend std::vector<std::vector<Frame>>
  pushAll(const std::vector<Stream *> &streams,
          const std::vector<Frame> &frames);

  size_t rows(const net_chunk_info &chunk) const {
    return size_t(numComputed > 0 ? chunk.next_input_rows
                                  : chunk.first_input_rows);
  }
  bool isUsable(const net_chunk_info &chunk) const {
    return numComputed > 0 || chunk.can_begin;
  }
  /// The longest chunk whose frames are there; null if there is none.
  const net_chunk_info *longest() const {
    const net_chunk_info *found = nullptr;
    for (const net_chunk_info &chunk : stepper->chunks)
      if (isUsable(chunk) && rows(chunk) <= frames.size())
        found = &chunk;
    return found;
  }
  /// The shortest chunk with so many frames, or else the longest.
  const net_chunk_info &shortest(int64_t count) const {
    for (const net_chunk_info &chunk : stepper->chunks)
      if (isUsable(chunk) && chunk.num_frames >= count)
        return chunk;
    return stepper->chunks.back();
  }

  void take(const Frame &frame) {
    // Copies of the first frame stand for those before it.
    if (numFrames++ == 0)
      frames.assign(size_t(stepper->info.left_context), frame);
    frames.push_back(frame);
    last = frame;
  }

  /// What a chunk of a stream takes and gives.
  struct Step {
    Step(Stream &stream, const net_chunk_info &chunk)
        : input(int32_t(stream.rows(chunk)), stream.stepper->info.input_dim),
          ivectors(stream.numComputed > 0 ? chunk.next_ivector_rows
                                          : chunk.first_ivector_rows,
                   stream.stepper->info.ivector_dim),
          output(chunk.output_rows, stream.stepper->info.output_dim) {
      auto end = input.values.begin();
      for (int32_t r = 0; r < input.rows; ++r) {
        end = std::copy_n(stream.frames.front().begin(), input.cols, end);
        stream.frames.pop_front();
      }
      end = ivectors.values.begin();
      for (int32_t r = 0; r < ivectors.rows; ++r)
        end = std::copy_n(stream.ivector.begin(), ivectors.cols, end);
      inputs[0] = {input.values.data(), input.cols, input.rows, input.cols};
      inputs[1] = {ivectors.values.data(), ivectors.cols, ivectors.rows,
                   ivectors.cols};
      wanted = {output.values.data(), output.cols, output.rows, output.cols};
    }
    Step(const Step &) = delete;

    Matrix input, ivectors, output;
    net_input inputs[2];
    net_output wanted;
  };

  /// Computes a chunk of each stream.
  static void step(const net_chunk_info &chunk,
                   const std::vector<Stream *> &streams,
                   const std::vector<std::vector<Frame> *> &outputs) {
    std::deque<Step> about;
    std::vector<net_step> steps;
    for (Stream *stream : streams) {
      const Step &added = about.emplace_back(*stream, chunk);
      steps.push_back({stream->state.data(), added.inputs, &added.wanted,
                       added.ivectors.cols > 0 ? 2 : 1, NET_OK});
    }
    check(net_stepper_step_batch(streams.front()->stepper->get(),
                                 chunk.num_frames, steps.data(),
                                 int32_t(steps.size())));
    for (size_t i = 0; i < streams.size(); ++i) {
      streams[i]->numComputed += chunk.num_frames;
      const Matrix &output = about[i].output;
      const float *row = output.values.data();
      for (int32_t r = 0; r < output.rows; ++r, row += output.cols)
        outputs[i]->emplace_back(row, row + output.cols);
    }
  }

  const Stepper *stepper;
  State state;
  Frame ivector, last;
  std::deque<Frame> frames; ///< not used yet
  int64_t numFrames = 0, numComputed = 0;
};

/// Takes a frame of each stream, all of one stepper, and gives the outputs of
/// each that can be computed by now.
inline std::vector<std::vector<Frame>>
pushAll(const std::vector<Stream *> &streams,
        const std::vector<Frame> &frames) {
  for (size_t i = 0; i < streams.size(); ++i)
    streams[i]->take(frames[i]);
  std::vector<std::vector<Frame>> outputs(streams.size());
  while (true) {
    // The streams whose next chunk is that of the first one that has any.
    const net_chunk_info *chunk = nullptr;
    std::vector<Stream *> chosen;
    std::vector<std::vector<Frame> *> to;
    for (size_t i = 0; i < streams.size(); ++i) {
      const net_chunk_info *next = streams[i]->longest();
      if (!next || (chunk && next != chunk))
        continue;
      chunk = next;
      chosen.push_back(streams[i]);
      to.push_back(&outputs[i]);
    }
    if (!chunk)
      return outputs;
    Stream::step(*chunk, chosen, to);
  }
}

inline std::vector<Frame> Stream::push(const Frame &frame) {
  return pushAll({this}, {frame}).front();
}

// The counts; the i-vector, the last frame and those not used yet; the state.
inline std::string Stream::save() const {
  const int64_t counts[] = {numFrames, numComputed, int64_t(frames.size())};
  std::string saved(reinterpret_cast<const char *>(counts), sizeof(counts));
  const auto add = [&](const Frame &values) {
    saved.append(reinterpret_cast<const char *>(values.data()),
                 values.size() * sizeof(float));
  };
  add(ivector);
  if (numFrames > 0)
    add(last);
  std::for_each(frames.begin(), frames.end(), add);
  return saved + state.save(*stepper);
}

inline Stream Stream::load(const Stepper &stepper, const std::string &saved) {
  size_t position = 0;
  const auto read = [&](void *to, size_t size) {
    if (saved.size() - position < size)
      throw std::runtime_error("the bytes of the stream end too early");
    std::memcpy(to, saved.data() + position, size);
    position += size;
  };
  const auto readFrame = [&](int32_t dim) {
    Frame values(static_cast<size_t>(dim));
    read(values.data(), values.size() * sizeof(float));
    return values;
  };
  Stream stream(stepper);
  int64_t counts[3];
  read(counts, sizeof(counts));
  stream.numFrames = counts[0];
  stream.numComputed = counts[1];
  stream.ivector = readFrame(stepper.info.ivector_dim);
  if (stream.numFrames > 0)
    stream.last = readFrame(stepper.info.input_dim);
  for (int64_t i = 0; i < counts[2]; ++i)
    stream.frames.push_back(readFrame(stepper.info.input_dim));
  stream.state.load(stepper, saved.substr(position));
  return stream;
}

} // namespace net

#endif // STREAM_HPP
