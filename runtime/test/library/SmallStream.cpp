//===- SmallStream.cpp - A library of a small stream for tests ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SmallStream.h"

namespace nnet3 {
namespace rt {
namespace test {

// Offsets of matrices in the arena.
static constexpr int kOutput = 32, kNextSum = 48, kSum = 64, kArena = 80;

/// One output, of the frames from x(t - 1) on; \p sum becomes h(t).
static float computeOutput(const float *frames, float &sum) {
  const float output = frames[0] + 2 * frames[1] + 4 * frames[2] + sum;
  sum = frames[1] + 0.75f * sum;
  return output;
}

template <int frames, int streams, bool isFirst>
static void run(float *arena, const float *, const int32_t *, void *) {
  for (int n = 0; n < streams; ++n) {
    const float *input = arena + n * (frames + 2);
    float sum = isFirst ? 0 : arena[kSum + n];
    for (int t = 0; t < frames; ++t)
      arena[kOutput + n * frames + t] = computeOutput(input + t, sum);
    arena[kNextSum + n] = sum;
  }
}

static const nnet3lib_run_fn kRuns[] = {
    run<2, 1, true>, run<2, 1, false>, run<2, 4, true>, run<2, 4, false>,
    run<4, 1, true>, run<4, 1, false>, run<4, 4, true>, run<4, 4, false>};

/// The rows from \p first to \p last of each stream.
static LibraryWriter::MatrixData makeMatrix(const char *name, int32_t streams,
                                            int32_t first, int32_t last,
                                            uint64_t offset) {
  LibraryWriter::MatrixData matrix{
      name, streams * (last - first + 1), 1, offset, 1, {}, {}, {}};
  for (int32_t n = 0; n < streams; ++n)
    for (int32_t t = first; t <= last; ++t) {
      matrix.n.push_back(n);
      matrix.t.push_back(t);
    }
  return matrix;
}

static LibraryWriter::RequestData makeRequest(int32_t frames, int32_t streams,
                                              bool isFirst) {
  LibraryWriter::RequestData request;
  request.name = (isFirst ? "first" : "next") + std::to_string(frames) + "x" +
                 std::to_string(streams);
  request.arenaFloats = kArena;
  request.inputs = {makeMatrix("input", streams, -1, frames, 0)};
  if (!isFirst)
    request.inputs.push_back(makeMatrix("sum", streams, -1, -1, kSum));
  request.outputs = {
      makeMatrix("output", streams, 0, frames - 1, kOutput),
      makeMatrix("sum.next", streams, frames - 1, frames - 1, kNextSum)};
  return request;
}

static LibraryWriter
makeWriter(const std::function<void(LibraryWriter &)> &change) {
  LibraryWriter writer;
  writer.stream.emplace();
  writer.stream->left = 1;
  writer.stream->right = 1;
  writer.stream->states = {{"input", "", {-1, 0}}, {"sum", "sum.next", {}}};
  for (const int32_t frames : {2, 4})
    for (const int32_t streams : {1, 4}) {
      const auto number = static_cast<int32_t>(writer.requests.size());
      for (const bool isFirst : {true, false})
        writer.requests.push_back(makeRequest(frames, streams, isFirst));
      writer.stream->chunks.push_back({frames, number, number + 1, streams});
    }
  if (change)
    change(writer);
  return writer;
}

void SmallStream::useBlocks(LibraryWriter &writer) {
  for (LibraryWriter::ChunkData &chunk : writer.stream->chunks) {
    if (chunk.numStreams == 1)
      continue;
    chunk.numStreams = 8;
    for (const int32_t number : {chunk.first, chunk.next}) {
      LibraryWriter::RequestData &request = writer.requests[number];
      request.blocks = 2;
      for (auto *matrices : {&request.inputs, &request.outputs})
        for (LibraryWriter::MatrixData &matrix : *matrices) {
          for (int32_t row = 0; row < matrix.rows; ++row) {
            matrix.n.push_back(matrix.n[row] + 4);
            matrix.t.push_back(matrix.t[row]);
          }
          matrix.rows *= 2;
        }
    }
  }
}

SmallStream::SmallStream(const std::function<void(LibraryWriter &)> &change)
    : writer(makeWriter(change)), image(writer, kRuns[0]) {
  image.image.runs = kRuns;
  opened = open(image.get());
}

std::vector<float> SmallStream::compute(const std::vector<float> &frames) {
  std::vector<float> padded = {frames.front()};
  padded.insert(padded.end(), frames.begin(), frames.end());
  padded.push_back(frames.back());
  std::vector<float> outputs;
  float sum = 0;
  for (size_t t = 0; t < frames.size(); ++t)
    outputs.push_back(computeOutput(padded.data() + t, sum));
  return outputs;
}

} // namespace test
} // namespace rt
} // namespace nnet3
