//===- LibraryBatchTest.cpp - Batches of streams --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SmallStream.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// A stream of random frames, and its next step.
struct TestStream {
  SmallState state;
  std::vector<float> frames, values;
  nnet3lib_input input;
  nnet3lib_output output;
  bool hasBegun = false;
};

/// Runs with a library without blocks, and with one whose requests have blocks.
class LibraryBatchTest : public ::testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    ASSERT_EQ(library.opened.status, NNET3LIB_OK) << library.opened.message;
    model = library.opened.model.get();
    ASSERT_EQ(nnet3lib_stepper_create(model, nullptr, &stepper), NNET3LIB_OK);
  }
  void TearDown() override { nnet3lib_stepper_destroy(stepper); }

  void begin(TestStream &stream) {
    ASSERT_EQ(nnet3lib_state_init(model, &stream.state, sizeof(SmallState)),
              NNET3LIB_OK);
    stream.hasBegun = false;
  }
  /// The next step of a stream, with frames of its own.
  nnet3lib_step makeStep(TestStream &stream, int32_t numFrames) {
    std::uniform_real_distribution<float> values(-1, 1);
    stream.frames.resize(numFrames + (stream.hasBegun ? 0 : 2));
    for (float &value : stream.frames)
      value = values(random);
    stream.values.assign(numFrames, -7);
    stream.input = {stream.frames.data(), 1,
                    static_cast<int32_t>(stream.frames.size()), 1};
    stream.output = {stream.values.data(), 1, numFrames, 1};
    return {&stream.state, &stream.input, &stream.output, 1, -5};
  }
  int32_t below(int32_t end) {
    return std::uniform_int_distribution<int32_t>(0, end - 1)(random);
  }

  static std::function<void(LibraryWriter &)> getChange() {
    return GetParam() ? SmallStream::useBlocks : nullptr;
  }

  SmallStream library{getChange()};
  const nnet3lib_model *model = nullptr;
  nnet3lib_stepper *stepper = nullptr;
  std::mt19937 random{1};
};

/// Whether the states and outputs of two streams are bit-identical.
bool isSame(const TestStream &a, const TestStream &b) {
  return std::memcmp(&a.state, &b.state, sizeof(SmallState)) == 0 &&
         a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(),
                     a.values.size() * sizeof(float)) == 0;
}

TEST_P(LibraryBatchTest, Questions) {
  auto info = sized<nnet3lib_stream_info>();
  ASSERT_EQ(nnet3lib_get_stream_info(model, &info), NNET3LIB_OK);
  EXPECT_EQ(info.num_chunks, 2);
  EXPECT_EQ(info.state_bytes, sizeof(SmallState));
  ASSERT_EQ(info.num_batch_sizes, 2);
  EXPECT_EQ(info.batch_sizes[0], 1);
  EXPECT_EQ(info.batch_sizes[1], GetParam() ? 8 : 4);
  auto chunk = sized<nnet3lib_chunk_info>();
  ASSERT_EQ(nnet3lib_get_chunk_info(model, 1, &chunk), NNET3LIB_OK);
  EXPECT_EQ(chunk.num_frames, 4);
  EXPECT_EQ(chunk.first_input_rows, 6);
  EXPECT_EQ(chunk.next_input_rows, 4);
  EXPECT_EQ(chunk.output_rows, 4);
}

// Streams join, leave and begin anew between steps, in any order; some steps
// are wrong. The others get what each gets alone.
TEST_P(LibraryBatchTest, StreamsDoNotDependOnEachOther) {
  std::vector<TestStream> streams(11);
  for (TestStream &stream : streams)
    begin(stream);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int32_t> chosen;
    for (size_t i = 0; i < streams.size(); ++i)
      if (below(3) > 0)
        chosen.push_back(static_cast<int32_t>(i));
    std::shuffle(chosen.begin(), chosen.end(), random);
    const int32_t numFrames = 2 + 2 * below(2);
    std::vector<nnet3lib_step> steps;
    std::vector<nnet3lib_status> expected;
    std::vector<TestStream> alone;
    nnet3lib_status firstError = NNET3LIB_OK;
    for (const int32_t number : chosen) {
      TestStream &stream = streams[number];
      if (below(8) == 0)
        begin(stream);
      nnet3lib_step step = makeStep(stream, numFrames);
      const int32_t damage = below(20);
      if (damage == 0)
        stream.input.rows += 1;
      if (damage == 1)
        stream.state.bytes[below(32)] ^= 0x44;
      alone.push_back(stream);
      const auto same = std::vector<float>(numFrames, -7);
      alone.back().values = same;
      const nnet3lib_output output = {alone.back().values.data(), 1, numFrames,
                                      1};
      expected.push_back(nnet3lib_stepper_step(
          stepper, &alone.back().state, numFrames, &stream.input, 1, &output));
      if (expected.back() != NNET3LIB_OK) {
        EXPECT_EQ(alone.back().values, same);
        if (firstError == NNET3LIB_OK)
          firstError = expected.back();
      }
      steps.push_back(step);
    }
    EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, numFrames, steps.data(),
                                          static_cast<int32_t>(steps.size())),
              firstError);
    for (size_t i = 0; i < chosen.size(); ++i) {
      TestStream &stream = streams[chosen[i]];
      ASSERT_EQ(steps[i].status, expected[i]);
      ASSERT_TRUE(isSame(stream, alone[i])) << round;
      stream.hasBegun = true;
      // A damaged state stays so until it is initialised again.
      if (steps[i].status != NNET3LIB_OK)
        begin(stream);
    }
  }
}

TEST_P(LibraryBatchTest, WrongCalls) {
  TestStream a, b;
  begin(a);
  begin(b);
  nnet3lib_step steps[] = {makeStep(a, 2), makeStep(b, 2)};
  EXPECT_EQ(nnet3lib_stepper_step_batch(nullptr, 2, steps, 2),
            NNET3LIB_NULL_ARGUMENT);
  EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, 2, nullptr, 2),
            NNET3LIB_NULL_ARGUMENT);
  EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, 2, steps, -1),
            NNET3LIB_WRONG_DIMS);
  EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, 2, nullptr, 0), NNET3LIB_OK);
  EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, 3, steps, 2),
            NNET3LIB_NO_SUCH_CHUNK);
  EXPECT_EQ(steps[0].status, NNET3LIB_NO_SUCH_CHUNK);
  EXPECT_EQ(steps[1].status, NNET3LIB_NO_SUCH_CHUNK);
  for (const int wrong : {0, 1, 2}) {
    nnet3lib_step step = steps[0];
    (wrong == 0 ? step.state
                : *(wrong == 1 ? (void **)&step.inputs
                               : (void **)&step.output)) = nullptr;
    EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, 2, &step, 1),
              NNET3LIB_NULL_ARGUMENT);
    EXPECT_EQ(step.status, NNET3LIB_NULL_ARGUMENT);
  }
  b.output.cols = 2;
  EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, 2, steps, 2),
            NNET3LIB_WRONG_DIMS);
  EXPECT_EQ(steps[0].status, NNET3LIB_OK);
  EXPECT_EQ(steps[1].status, NNET3LIB_WRONG_DIMS);
}

TEST_P(LibraryBatchTest, OneStateTwice) {
  TestStream a;
  begin(a);
  TestStream alone = a;
  nnet3lib_step step = makeStep(a, 2);
  nnet3lib_step steps[] = {step, step};
  EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, 2, steps, 2),
            NNET3LIB_WRONG_STATE);
  EXPECT_EQ(steps[0].status, NNET3LIB_OK);
  EXPECT_EQ(steps[1].status, NNET3LIB_WRONG_STATE);
  alone.values.resize(2);
  const nnet3lib_output output = {alone.values.data(), 1, 2, 1};
  EXPECT_EQ(
      nnet3lib_stepper_step(stepper, &alone.state, 2, &a.input, 1, &output),
      NNET3LIB_OK);
  EXPECT_TRUE(isSame(a, alone));
}

TEST_P(LibraryBatchTest, AsTheWholeUtterance) {
  std::vector<float> frames(12);
  for (float &frame : frames)
    frame = static_cast<float>(below(1000)) / 999;
  std::vector<float> padded = frames;
  padded.insert(padded.begin(), frames.front());
  padded.push_back(frames.back());
  TestStream stream;
  begin(stream);
  std::vector<float> outputs;
  for (size_t start = 0; outputs.size() < frames.size();) {
    const int32_t numFrames = outputs.size() == 2 ? 2 : 4;
    nnet3lib_step step = makeStep(stream, numFrames);
    std::copy_n(padded.begin() + static_cast<int64_t>(start),
                stream.frames.size(), stream.frames.begin());
    start += stream.frames.size();
    stream.hasBegun = true;
    ASSERT_EQ(nnet3lib_stepper_step_batch(stepper, numFrames, &step, 1),
              NNET3LIB_OK);
    outputs.insert(outputs.end(), stream.values.begin(), stream.values.end());
  }
  EXPECT_EQ(outputs, SmallStream::compute(frames));
}

INSTANTIATE_TEST_SUITE_P(Blocks, LibraryBatchTest, ::testing::Bool());

TEST(LibraryBatchErrorTest, DamagedStreams) {
  using Change = void (*)(LibraryWriter &);
  for (Change change : {
           Change([](LibraryWriter &w) { w.stream->chunks[1].numStreams = 3; }),
           Change([](LibraryWriter &w) { w.stream->chunks[1].numStreams = 1; }),
           Change([](LibraryWriter &w) { w.stream->chunks[1].next = 1; }),
           Change([](LibraryWriter &w) {
             SmallStream::useBlocks(w);
             w.stream->chunks[1].numStreams = w.stream->chunks[3].numStreams =
                 1;
           }),
           // All lengths have the same numbers of streams.
           Change([](LibraryWriter &w) { w.stream->chunks.pop_back(); }),
           Change([](LibraryWriter &w) {
             std::swap(w.stream->chunks[0], w.stream->chunks[1]);
           }),
           // A stream is the same in each batch.
           Change([](LibraryWriter &w) {
             w.requests[3].inputs[0].t = w.requests[3].inputs[0].n;
           }),
           Change([](LibraryWriter &w) {
             std::swap(w.requests[3].inputs[0], w.requests[3].inputs[1]);
           }),
       }) {
    SmallStream library(change);
    EXPECT_EQ(library.opened.status, NNET3LIB_DAMAGED);
    EXPECT_EQ(library.opened.message, "the stream does not fit its requests");
  }
}

TEST(LibraryBatchErrorTest, FirstChunksOfOneStreamOnly) {
  SmallStream library([](LibraryWriter &writer) {
    writer.stream->chunks[1].first = writer.stream->chunks[3].first = -1;
  });
  ASSERT_EQ(library.opened.status, NNET3LIB_OK) << library.opened.message;
  const nnet3lib_model *model = library.opened.model.get();
  nnet3lib_stepper *stepper = nullptr;
  ASSERT_EQ(nnet3lib_stepper_create(model, nullptr, &stepper), NNET3LIB_OK);
  SmallState states[5];
  const float frames[] = {1, 1, 1, 1};
  const nnet3lib_input input = {frames, 1, 4, 1};
  float values[5][2];
  nnet3lib_output outputs[5];
  nnet3lib_step steps[5];
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(nnet3lib_state_init(model, &states[i], sizeof(SmallState)),
              NNET3LIB_OK);
    outputs[i] = {values[i], 1, 2, 1};
    steps[i] = {&states[i], &input, &outputs[i], 1, -5};
  }
  EXPECT_EQ(nnet3lib_stepper_step_batch(stepper, 2, steps, 5), NNET3LIB_OK);
  for (const auto &value : values) {
    EXPECT_EQ(value[0], 7);
    EXPECT_EQ(value[1], 8);
  }
  nnet3lib_stepper_destroy(stepper);
}

} // namespace
