//===- FrameQueueTest.cpp - The frames of a stream that wait --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scheduler/FrameQueue.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;

namespace {

/// Chunks of 4 and 8 frames, of which the longer one can begin a stream, with
/// an output for every second frame and an i-vector for every fourth.
StreamFacts makeFacts() {
  StreamFacts facts;
  facts.info.num_chunks = 2;
  facts.info.left_context = 2;
  facts.info.right_context = 1;
  facts.info.frame_subsampling_factor = 2;
  facts.info.ivector_period = 4;
  facts.info.input_dim = facts.info.ivector_dim = facts.info.output_dim = 1;
  // Frames -2 to 8 have i-vectors at -4, 0, 4 and 8.
  facts.chunks = {{0, 4, 0, 0, 0, 4, 1, 2}, {0, 8, 1, 11, 4, 8, 2, 4}};
  return facts;
}

Time at(int second) { return Time(std::chrono::seconds(second)); }

struct Taken {
  std::vector<float> input, ivectors;
};

Taken take(FrameQueue &queue, int32_t chunk) {
  Taken taken;
  taken.input.resize(static_cast<size_t>(queue.countInputRows(chunk)));
  taken.ivectors.resize(static_cast<size_t>(queue.countIvectorRows(chunk)));
  queue.take(chunk, taken.input.data(), taken.ivectors.data());
  return taken;
}

using Floats = std::vector<float>;

TEST(FrameQueueTest, ChunksByWhatHasWaited) {
  const StreamFacts facts = makeFacts();
  FrameQueue queue(facts, 20);
  const float ivectors[] = {100, 200};
  EXPECT_FALSE(queue.hasIvector());
  Floats frames(20);
  for (size_t i = 0; i < frames.size(); ++i)
    frames[i] = static_cast<float>(i);
  queue.push(frames.data(), 8, &ivectors[0], at(1));
  EXPECT_EQ(queue.chooseChunk(), -1);
  EXPECT_EQ(queue.getRoom(), 12);
  queue.push(&frames[8], 1, nullptr, at(2));
  ASSERT_EQ(queue.chooseChunk(), 1);
  EXPECT_FALSE(queue.canHave(0)) << "it cannot begin the stream";
  EXPECT_EQ(queue.getOldest(), at(1));
  EXPECT_EQ(queue.getReady(1), at(2));
  EXPECT_EQ(queue.countOutputs(1), 4);
  Taken taken = take(queue, 1);
  EXPECT_EQ(taken.input, Floats({0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(taken.ivectors, Floats({100, 100, 100, 100}));
  EXPECT_EQ(queue.getRoom(), 20);

  queue.push(&frames[9], 3, nullptr, at(3));
  EXPECT_EQ(queue.chooseChunk(), -1);
  queue.push(&frames[12], 1, &ivectors[1], at(4));
  ASSERT_EQ(queue.chooseChunk(), 0);
  EXPECT_EQ(queue.getOldest(), at(3));
  EXPECT_EQ(queue.getReady(0), at(4));
  queue.push(&frames[13], 4, nullptr, at(5));
  ASSERT_EQ(queue.chooseChunk(), 1) << "long to catch up";
  EXPECT_TRUE(queue.canHave(0));
  taken = take(queue, 0);
  EXPECT_EQ(taken.input, Floats({9, 10, 11, 12}));
  // The i-vector of frame 12.
  EXPECT_EQ(taken.ivectors, Floats({200}));
  EXPECT_EQ(queue.chooseChunk(), 0);
}

TEST(FrameQueueTest, End) {
  const StreamFacts facts = makeFacts();
  FrameQueue queue(facts, 20);
  const Floats frames = {5, 6, 7};
  const float ivector = 1;
  queue.push(frames.data(), 3, &ivector, at(1));
  EXPECT_FALSE(queue.isFinished());
  queue.close();
  ASSERT_EQ(queue.chooseChunk(), 1) << "the shorter one cannot begin a stream";
  EXPECT_EQ(queue.countOutputs(1), 2);
  EXPECT_EQ(take(queue, 1).input, Floats({5, 5, 5, 6, 7, 7, 7, 7, 7, 7, 7}));
  EXPECT_TRUE(queue.isFinished());
  EXPECT_EQ(queue.chooseChunk(), -1);
}

TEST(FrameQueueTest, EndWithoutWaste) {
  const StreamFacts facts = makeFacts();
  FrameQueue queue(facts, 20);
  const Floats frames(19, 3);
  const float ivector = 1;
  queue.push(frames.data(), 19, &ivector, at(1));
  queue.close();
  EXPECT_EQ(queue.chooseChunk(), 1);
  take(queue, 1);
  EXPECT_EQ(queue.chooseChunk(), 1); // 11 are left
  take(queue, 1);
  EXPECT_EQ(queue.chooseChunk(), 0); // 3 are left
  EXPECT_EQ(queue.countOutputs(0), 2);
  take(queue, 0);
  EXPECT_TRUE(queue.isFinished());
}

TEST(FrameQueueTest, NoFrames) {
  const StreamFacts facts = makeFacts();
  FrameQueue queue(facts, 20);
  EXPECT_EQ(queue.chooseChunk(), -1);
  queue.close();
  EXPECT_TRUE(queue.isFinished());
  EXPECT_EQ(queue.chooseChunk(), -1);
}

} // namespace
