//===- StreamLoader.cpp - The streams of a library ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The requests are loaded by now. Nothing of the stream is believed that they
// do not agree with.
//
//===----------------------------------------------------------------------===//

#include "StreamLoader.h"

#include <algorithm>
#include <string>

namespace nnet3 {
namespace rt {

namespace {

/// More than any network has, so that sums stay in 32 bits.
constexpr int32_t kMaxFrames = 1 << 24;
constexpr uint64_t kMaxStateFloats = uint64_t(1) << 32;

class StreamLoader {
public:
  StreamLoader(const nnet3lib_model &model, const schema::Stream &root,
               LibraryStream &stream)
      : model(model), root(root), stream(stream) {}

  Status load();

private:
  bool loadNumbers();
  bool loadStates();
  bool loadChunks();
  bool loadStep(int32_t request, int32_t numFrames, bool isFirst,
                StreamStep &step);
  bool loadInput(const IoInfo &info, int32_t numFrames, bool isFirst,
                 StreamStep &step);
  bool loadOutput(const IoInfo &info, StreamStep &step);
  bool setDims(KeptRows &state, int32_t rows, int32_t cols);
  bool placeStates();
  int32_t findState(std::string_view KeptRows::*name,
                    std::string_view value) const;

  const nnet3lib_model &model;
  const schema::Stream &root;
  LibraryStream &stream;
};

bool StreamLoader::loadNumbers() {
  const auto isCount = [](int32_t value, int32_t least) {
    return value >= least && value <= kMaxFrames;
  };
  stream.left = root.left();
  stream.right = root.right();
  stream.factor = root.frame_subsampling_factor();
  stream.period = root.ivector_period();
  stream.numSequences = root.num_sequences();
  stream.dependsOnChunks = root.depends_on_chunks();
  return isCount(stream.left, 0) && isCount(stream.right, 0) &&
         isCount(stream.factor, 1) && isCount(stream.period, 1) &&
         isCount(stream.numSequences, 1);
}

bool StreamLoader::loadStates() {
  if (!root.states())
    return true;
  for (const schema::StreamState *from : *root.states()) {
    KeptRows state;
    state.node = from->node()->string_view();
    if (from->output())
      state.output = from->output()->string_view();
    else if (from->times())
      state.times.assign(from->times()->begin(), from->times()->end());
    state.rows = static_cast<int32_t>(state.times.size());
    const bool isNamed =
        !state.node.empty() && findState(&KeptRows::node, state.node) < 0;
    const bool hasRows =
        from->output() ? !state.output.empty() : !state.times.empty();
    if (!isNamed || !hasRows)
      return false;
    stream.states.push_back(std::move(state));
  }
  return true;
}

int32_t StreamLoader::findState(std::string_view KeptRows::*name,
                                std::string_view value) const {
  for (size_t i = 0; i < stream.states.size(); ++i)
    if (stream.states[i].*name == value)
      return static_cast<int32_t>(i);
  return -1;
}

/// All requests have the same rows of a state.
bool StreamLoader::setDims(KeptRows &state, int32_t rows, int32_t cols) {
  if (state.cols == 0)
    state.cols = cols;
  if (state.rows == 0)
    state.rows = rows;
  return state.rows == rows && state.cols == cols;
}

bool StreamLoader::loadInput(const IoInfo &info, int32_t numFrames,
                             bool isFirst, StreamStep &step) {
  if (info.rows % stream.numSequences != 0)
    return false;
  const int32_t rows = info.rows / stream.numSequences;
  StreamInput input;
  input.cols = info.cols;
  input.state = findState(&KeptRows::node, info.name);
  input.given = info.name == "input" ? 0 : info.name == "ivector" ? 1 : -1;
  KeptRows *state = input.state < 0 ? nullptr : &stream.states[input.state];
  const bool isComponent = state && !state->output.empty();
  if (isComponent) {
    input.given = -1;
    input.keptRows = rows;
    if (isFirst || !setDims(*state, rows, info.cols))
      return false;
  } else if (input.given < 0) {
    return false;
  } else {
    input.keptRows = state && !isFirst ? state->rows : 0;
    input.newRows = rows - input.keptRows;
    if (input.newRows < 0 || !info.t ||
        (state && !setDims(*state, state->rows, info.cols)))
      return false;
    if (state)
      for (const int32_t time : state->times) {
        const int32_t *end = info.t + rows;
        const int32_t *row = std::find(info.t, end, int64_t(time) + numFrames);
        input.keep.push_back(row == end ? -1
                                        : static_cast<int32_t>(row - info.t));
      }
    step.newRows[input.given] = input.newRows;
    stream.inputFloats =
        std::max(stream.inputFloats, static_cast<uint64_t>(info.rows) *
                                         static_cast<uint64_t>(info.cols));
  }
  step.inputs.push_back(std::move(input));
  return true;
}

bool StreamLoader::loadOutput(const IoInfo &info, StreamStep &step) {
  if (info.rows % stream.numSequences != 0)
    return false;
  const int32_t rows = info.rows / stream.numSequences;
  if (info.name == "output") {
    step.outputRows = rows;
    step.outputCols = info.cols;
    step.outputs.push_back(-1);
    return true;
  }
  const int32_t state = findState(&KeptRows::output, info.name);
  step.outputs.push_back(state);
  return state >= 0 && setDims(stream.states[state], rows, info.cols);
}

bool StreamLoader::loadStep(int32_t number, int32_t numFrames, bool isFirst,
                            StreamStep &step) {
  if (number < 0 || static_cast<size_t>(number) >= model.requests.size())
    return false;
  step.request = number;
  const LibraryRequest &request = model.requests[number];
  for (const PlacedMatrix &input : request.inputs)
    if (!loadInput(input.info, numFrames, isFirst, step))
      return false;
  for (const PlacedMatrix &output : request.outputs)
    if (!loadOutput(output.info, step))
      return false;
  // The state is whole behind each chunk.
  for (size_t i = 0; i < stream.states.size(); ++i) {
    const auto number = static_cast<int32_t>(i);
    const bool isKept =
        stream.states[i].output.empty()
            ? std::any_of(step.inputs.begin(), step.inputs.end(),
                          [&](const StreamInput &input) {
                            return input.state == number;
                          })
            : std::count(step.outputs.begin(), step.outputs.end(), number) == 1;
    if (!isKept)
      return false;
  }
  return step.outputRows > 0;
}

bool StreamLoader::loadChunks() {
  if (!root.chunks())
    return false;
  bool canBegin = false;
  int32_t last = 0;
  for (const schema::StreamChunk *from : *root.chunks()) {
    StreamChunk chunk;
    chunk.numFrames = from->num_frames();
    if (chunk.numFrames <= last || chunk.numFrames > kMaxFrames)
      return false;
    last = chunk.numFrames;
    if (from->first() >= 0) {
      canBegin = true;
      if (!loadStep(from->first(), last, /*isFirst=*/true, chunk.first))
        return false;
    }
    if (!loadStep(from->next(), last, /*isFirst=*/false, chunk.next))
      return false;
    stream.chunks.push_back(std::move(chunk));
  }
  return canBegin;
}

bool StreamLoader::placeStates() {
  for (KeptRows &state : stream.states) {
    state.offset = stream.stateFloats;
    const uint64_t floats = static_cast<uint64_t>(state.rows) *
                            static_cast<uint64_t>(stream.numSequences) *
                            static_cast<uint64_t>(state.cols);
    if (floats > kMaxStateFloats)
      return false;
    stream.stateFloats += alignInstance(floats * sizeof(float)) / sizeof(float);
    if (stream.stateFloats > kMaxStateFloats)
      return false;
  }
  return true;
}

Status StreamLoader::load() {
  if (loadNumbers() && loadStates() && loadChunks() && placeStates())
    return Status();
  return invalidProgram("the stream does not fit its requests");
}

} // namespace

Status loadStream(const nnet3lib_model &model, const schema::Stream &root,
                  LibraryStream &stream) {
  return StreamLoader(model, root, stream).load();
}

} // namespace rt
} // namespace nnet3
