//===- LibraryStreamTest.cpp - Streams of libraries -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"

#include <cstddef>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

// y(t) = x(t) + x(t - 1) + the sum of all x of earlier chunks, in chunks of two
// frames: the input is at 0, the output at 16, the next sum at 32 and the sum
// at 48.
void runFrom(float *arena, float sum) {
  for (int r = 0; r < 2; ++r)
    arena[16 + r] = arena[r] + arena[r + 1] + sum;
  arena[32] = sum + arena[1] + arena[2];
}
void runFirst(float *arena, const float *, const int32_t *, void *) {
  runFrom(arena, 0);
}
void runNext(float *arena, const float *, const int32_t *, void *) {
  runFrom(arena, arena[48]);
}
const nnet3lib_run_fn kRuns[] = {runFirst, runNext};

LibraryWriter makeWriter() {
  const LibraryWriter::MatrixData input{"input", 3,         1,          0,
                                        1,       {0, 0, 0}, {-1, 0, 1}, {}};
  const LibraryWriter::MatrixData output{"output", 2,      1,      16,
                                         1,        {0, 0}, {0, 1}, {}};
  const LibraryWriter::MatrixData sum{"sum", 1, 1, 48, 1, {0}, {-1}, {}};
  const LibraryWriter::MatrixData next{"sum.next", 1, 1, 32, 1, {0}, {1}, {}};
  LibraryWriter writer;
  writer.requests = {{"first", 64, {input}, {output, next}, {}, {}},
                     {"next", 64, {input, sum}, {output, next}, {}, {}}};
  writer.stream.emplace();
  writer.stream->left = 1;
  writer.stream->states = {{"input", "", {-1}}, {"sum", "sum.next", {}}};
  writer.stream->chunks = {{2, 0, 1}};
  return writer;
}

/// The library, after \p change.
struct StreamLibrary {
  explicit StreamLibrary(
      const std::function<void(LibraryWriter &)> &change = {})
      : writer(changed(change)), image(writer, runNext) {
    image.image.runs = kRuns;
    opened = open(image.get());
  }

  static LibraryWriter
  changed(const std::function<void(LibraryWriter &)> &change) {
    LibraryWriter writer = makeWriter();
    if (change)
      change(writer);
    return writer;
  }

  LibraryWriter writer;
  TestImage image;
  Opened opened;
};

struct alignas(64) State {
  unsigned char bytes[256];
};

TEST(LibraryStreamTest, Questions) {
  StreamLibrary library;
  ASSERT_EQ(library.opened.status, NNET3LIB_OK) << library.opened.message;
  const nnet3lib_model *model = library.opened.model.get();
  auto info = sized<nnet3lib_stream_info>();
  ASSERT_EQ(nnet3lib_get_stream_info(model, &info), NNET3LIB_OK);
  EXPECT_EQ(info.num_chunks, 1);
  EXPECT_EQ(info.left_context, 1);
  EXPECT_EQ(info.right_context, 0);
  EXPECT_EQ(info.input_dim, 1);
  EXPECT_EQ(info.ivector_dim, 0);
  EXPECT_EQ(info.output_dim, 1);
  EXPECT_EQ(info.state_bytes, 64 + 2 * 64u);
  EXPECT_EQ(info.num_sequences, 1);
  ASSERT_EQ(info.num_batch_sizes, 1);
  EXPECT_EQ(info.batch_sizes[0], 1);
  auto chunk = sized<nnet3lib_chunk_info>();
  ASSERT_EQ(nnet3lib_get_chunk_info(model, 0, &chunk), NNET3LIB_OK);
  EXPECT_EQ(chunk.num_frames, 2);
  EXPECT_TRUE(chunk.can_begin);
  EXPECT_EQ(chunk.first_input_rows, 3);
  EXPECT_EQ(chunk.next_input_rows, 2);
  EXPECT_EQ(chunk.next_ivector_rows, 0);
  EXPECT_EQ(chunk.output_rows, 2);
  EXPECT_EQ(nnet3lib_get_chunk_info(model, 1, &chunk), NNET3LIB_NO_SUCH_CHUNK);
  // The struct of version 6.
  auto earlier = sized<nnet3lib_stream_info>();
  earlier.struct_size = offsetof(nnet3lib_stream_info, batch_sizes);
  ASSERT_EQ(nnet3lib_get_stream_info(model, &earlier), NNET3LIB_OK);
  EXPECT_EQ(earlier.state_bytes, info.state_bytes);
  EXPECT_EQ(earlier.batch_sizes, nullptr);
  // The struct of version 9.
  earlier.struct_size = offsetof(nnet3lib_stream_info, depends_on_end);
  earlier.depends_on_end = 5;
  ASSERT_EQ(nnet3lib_get_stream_info(model, &earlier), NNET3LIB_OK);
  EXPECT_EQ(earlier.batch_sizes, info.batch_sizes);
  EXPECT_EQ(earlier.depends_on_end, 5);
  info.struct_size = 8;
  EXPECT_EQ(nnet3lib_get_stream_info(model, &info), NNET3LIB_WRONG_VERSION);
}

TEST(LibraryStreamTest, NoStream) {
  StreamLibrary library([](LibraryWriter &writer) { writer.stream.reset(); });
  const nnet3lib_model *model = library.opened.model.get();
  auto info = sized<nnet3lib_stream_info>();
  EXPECT_EQ(nnet3lib_get_stream_info(model, &info), NNET3LIB_NO_SUCH_CHUNK);
  State state;
  EXPECT_EQ(nnet3lib_state_init(model, &state, sizeof(state)),
            NNET3LIB_NO_SUCH_CHUNK);
  nnet3lib_stepper *stepper = nullptr;
  EXPECT_EQ(nnet3lib_stepper_create(model, nullptr, &stepper),
            NNET3LIB_NO_SUCH_CHUNK);
  EXPECT_EQ(stepper, nullptr);
}

TEST(LibraryStreamTest, Steps) {
  StreamLibrary library;
  const nnet3lib_model *model = library.opened.model.get();
  nnet3lib_stepper *stepper = nullptr;
  ASSERT_EQ(nnet3lib_stepper_create(model, nullptr, &stepper), NNET3LIB_OK);
  State state;
  ASSERT_EQ(nnet3lib_state_init(model, &state, sizeof(state)), NNET3LIB_OK);
  const auto step = [&](std::vector<float> frames) {
    const nnet3lib_input input = {frames.data(), 1,
                                  static_cast<int32_t>(frames.size()), 1};
    std::vector<float> values(2);
    const nnet3lib_output output = {values.data(), 1, 2, 1};
    EXPECT_EQ(nnet3lib_stepper_step(stepper, &state, 2, &input, 1, &output),
              NNET3LIB_OK);
    return values;
  };
  EXPECT_EQ(step({1, 2, 3}), (std::vector<float>{3, 5}));
  EXPECT_EQ(step({10, 20}), (std::vector<float>{5 + 13, 5 + 30}));
  State branch = state;
  EXPECT_EQ(step({1, 1}), (std::vector<float>{35 + 21, 35 + 2}));
  state = branch;
  EXPECT_EQ(step({0, 0}), (std::vector<float>{35 + 20, 35}));
  nnet3lib_stepper_destroy(stepper);
  nnet3lib_stepper_destroy(nullptr);
}

TEST(LibraryStreamTest, DamagedStreams) {
  using Change = void (*)(LibraryWriter &);
  for (Change change : {
           Change([](LibraryWriter &w) { w.stream->left = -1; }),
           Change([](LibraryWriter &w) { w.stream->right = 1 << 30; }),
           Change([](LibraryWriter &w) { w.stream->factor = 0; }),
           Change([](LibraryWriter &w) { w.stream->chunks[0].numStreams = 0; }),
           Change([](LibraryWriter &w) { w.stream->chunks[0].numStreams = 2; }),
           Change([](LibraryWriter &w) { w.stream->chunks.clear(); }),
           Change([](LibraryWriter &w) { w.stream->chunks[0].numFrames = 0; }),
           Change([](LibraryWriter &w) { w.stream->chunks[0].first = -1; }),
           Change([](LibraryWriter &w) { w.stream->chunks[0].first = 1; }),
           Change([](LibraryWriter &w) { w.stream->chunks[0].next = 2; }),
           Change([](LibraryWriter &w) { w.stream->chunks[0].next = -1; }),
           Change([](LibraryWriter &w) {
             w.stream->chunks.push_back(w.stream->chunks[0]);
           }),
           Change([](LibraryWriter &w) { w.stream->states.pop_back(); }),
           Change([](LibraryWriter &w) { w.stream->states[0].times.clear(); }),
           Change([](LibraryWriter &w) {
             w.stream->states[0].times = {-4, -3, -2, -1};
           }),
           Change(
               [](LibraryWriter &w) { w.stream->states[0].times = {-1, -2}; }),
           Change([](LibraryWriter &w) { w.stream->states[1].node = "input"; }),
           Change([](LibraryWriter &w) { w.stream->states[1].node = "other"; }),
           Change([](LibraryWriter &w) {
             w.stream->states.push_back({"more", "more.next", {}});
           }),
           Change([](LibraryWriter &w) {
             w.requests[1].inputs[1].cols = 2;
             w.requests[1].inputs[1].stride = 2;
           }),
           Change([](LibraryWriter &w) {
             w.requests[0].outputs[1].name = "other";
           }),
           Change([](LibraryWriter &w) {
             w.requests[1].inputs[0].t.clear();
             w.requests[1].inputs[0].n.clear();
           }),
       }) {
    StreamLibrary library(change);
    EXPECT_EQ(library.opened.status, NNET3LIB_DAMAGED);
    EXPECT_EQ(library.opened.message, "the stream does not fit its requests");
  }
}

TEST(LibraryStreamTest, StatesOfOtherLibraries) {
  StreamLibrary library,
      other([](LibraryWriter &writer) { writer.requests[0].name = "begin"; });
  const nnet3lib_model *model = library.opened.model.get();
  State state;
  ASSERT_EQ(nnet3lib_state_init(model, &state, sizeof(state)), NNET3LIB_OK);
  EXPECT_EQ(nnet3lib_state_check(model, &state, sizeof(state)),
            NNET3LIB_WRONG_STATE); // not sealed
  ASSERT_EQ(nnet3lib_state_seal(model, &state), NNET3LIB_OK);
  EXPECT_EQ(nnet3lib_state_check(model, &state, sizeof(state)), NNET3LIB_OK);
  EXPECT_EQ(
      nnet3lib_state_check(other.opened.model.get(), &state, sizeof(state)),
      NNET3LIB_WRONG_STATE);
  // Each byte is checked.
  for (size_t i = 0; i < 64 + 2 * 64; ++i) {
    State damaged = state;
    damaged.bytes[i] ^= 0x10;
    EXPECT_EQ(nnet3lib_state_check(model, &damaged, sizeof(damaged)),
              NNET3LIB_WRONG_STATE)
        << i;
  }
}

} // namespace
