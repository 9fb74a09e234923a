//===- StreamLoader.cpp - The streams of a library ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The requests are loaded before. The stream's metadata is checked against
// them.
//
//===----------------------------------------------------------------------===//

#include "StreamLoader.h"

#include <algorithm>
#include <string>

namespace nnet3 {
namespace rt {

namespace {

/// Larger than in any network, and small enough for sums to stay within 32
/// bits.
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
  bool addBatch(int32_t request, int32_t numStreams, int32_t numFrames,
                bool isFirst, StreamStep &step);
  bool loadShape(const LibraryRequest &request, int32_t numStreams,
                 int32_t numFrames, bool isFirst, StreamShape &shape);
  bool loadInput(const IoInfo &info, int32_t rows, int32_t numFrames,
                 bool isFirst, StreamShape &shape);
  bool loadOutput(const IoInfo &info, int32_t rows, StreamShape &shape);
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
  stream.dependsOnChunks = root.depends_on_chunks();
  stream.dependsOnEnd = root.depends_on_end();
  return isCount(stream.left, 0) && isCount(stream.right, 0) &&
         isCount(stream.factor, 1) && isCount(stream.period, 1);
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
    if (!std::is_sorted(state.times.begin(), state.times.end()))
      return false;
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

/// Sets the dims of a state, or checks that all requests agree on them.
bool StreamLoader::setDims(KeptRows &state, int32_t rows, int32_t cols) {
  if (state.cols == 0)
    state.cols = cols;
  if (state.rows == 0)
    state.rows = rows;
  return state.rows == rows && state.cols == cols;
}

bool StreamLoader::loadInput(const IoInfo &info, int32_t rows,
                             int32_t numFrames, bool isFirst,
                             StreamShape &shape) {
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
        const auto to = static_cast<int32_t>(input.keep.size());
        input.keep.push_back(row == end ? -1
                                        : static_cast<int32_t>(row - info.t));
        // keepInput() moves rows in the state in ascending order.
        if (row < info.t + input.keptRows && input.keep.back() < to)
          return false;
      }
    shape.newRows[input.given] = input.newRows;
  }
  shape.inputs.push_back(std::move(input));
  return true;
}

bool StreamLoader::loadOutput(const IoInfo &info, int32_t rows,
                              StreamShape &shape) {
  if (info.name == "output") {
    shape.outputRows = rows;
    shape.outputCols = info.cols;
    shape.outputs.push_back(-1);
    return true;
  }
  const int32_t state = findState(&KeptRows::output, info.name);
  shape.outputs.push_back(state);
  return state >= 0 && setDims(stream.states[state], rows, info.cols);
}

/// Fills \p shape with the inputs and outputs of the request for one stream.
bool StreamLoader::loadShape(const LibraryRequest &request, int32_t numStreams,
                             int32_t numFrames, bool isFirst,
                             StreamShape &shape) {
  for (const PlacedMatrix &input : request.inputs)
    if (input.info.rows % numStreams != 0 ||
        !loadInput(input.info, input.info.rows / numStreams, numFrames, isFirst,
                   shape))
      return false;
  for (const PlacedMatrix &output : request.outputs)
    if (output.info.rows % numStreams != 0 ||
        !loadOutput(output.info, output.info.rows / numStreams, shape))
      return false;
  // Each chunk must update the whole state.
  for (size_t i = 0; i < stream.states.size(); ++i) {
    const auto number = static_cast<int32_t>(i);
    const bool isKept =
        stream.states[i].output.empty()
            ? std::any_of(shape.inputs.begin(), shape.inputs.end(),
                          [&](const StreamInput &input) {
                            return input.state == number;
                          })
            : std::count(shape.outputs.begin(), shape.outputs.end(), number) ==
                  1;
    if (!isKept)
      return false;
  }
  return shape.outputRows > 0;
}

/// Adds a batch size to \p step. All batch sizes must have the same shape per
/// stream.
bool StreamLoader::addBatch(int32_t number, int32_t numStreams,
                            int32_t numFrames, bool isFirst, StreamStep &step) {
  if (number < 0 || static_cast<size_t>(number) >= model.requests.size())
    return false;
  const LibraryRequest &request = model.requests[number];
  StreamShape shape;
  if (numStreams % request.blocks != 0 ||
      !loadShape(request, numStreams, numFrames, isFirst, shape))
    return false;
  if (step.batches.empty())
    static_cast<StreamShape &>(step) = std::move(shape);
  else if (!(step == shape))
    return false;
  // Several requests may have blocks of the same size.
  const BatchRequest batch = {numStreams / request.blocks, number};
  const auto place =
      std::lower_bound(step.batches.begin(), step.batches.end(), batch,
                       [](const BatchRequest &a, const BatchRequest &b) {
                         return a.numStreams < b.numStreams;
                       });
  if (place == step.batches.end() || place->numStreams != batch.numStreams)
    step.batches.insert(place, batch);
  return true;
}

static BatchPlan makePlan(const StreamStep &step) {
  std::vector<int32_t> sizes;
  for (const BatchRequest &batch : step.batches)
    sizes.push_back(batch.numStreams);
  return BatchPlan(sizes);
}

bool StreamLoader::loadChunks() {
  if (!root.chunks())
    return false;
  bool canBegin = false;
  for (const schema::StreamChunk *from : *root.chunks()) {
    const int32_t numFrames = from->num_frames(), size = from->num_streams();
    const int32_t last =
        stream.chunks.empty() ? 0 : stream.chunks.back().numFrames;
    if (numFrames <= 0 || numFrames < last || numFrames > kMaxFrames ||
        size < 1)
      return false;
    if (numFrames > last)
      stream.chunks.emplace_back().numFrames = numFrames;
    StreamChunk &chunk = stream.chunks.back();
    if (!chunk.batchSizes.empty() && chunk.batchSizes.back() >= size)
      return false;
    chunk.batchSizes.push_back(size);
    canBegin |= from->first() >= 0;
    if ((from->first() >= 0 && !addBatch(from->first(), size, numFrames,
                                         /*isFirst=*/true, chunk.first)) ||
        !addBatch(from->next(), size, numFrames, /*isFirst=*/false, chunk.next))
      return false;
  }
  for (StreamChunk &chunk : stream.chunks) {
    chunk.first.plan = makePlan(chunk.first);
    chunk.next.plan = makePlan(chunk.next);
    if (chunk.batchSizes != stream.chunks.front().batchSizes)
      return false;
  }
  return canBegin;
}

bool StreamLoader::placeStates() {
  for (KeptRows &state : stream.states) {
    state.offset = stream.stateFloats;
    const uint64_t floats =
        static_cast<uint64_t>(state.rows) * static_cast<uint64_t>(state.cols);
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
