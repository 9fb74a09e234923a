//===- ChunkPlanTest.cpp - Splitting utterances into chunks ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChunkPlan.h"

#include "gtest/gtest.h"

using namespace mlir::nnet3;

namespace {

ChunkOptions makeOptions(int32_t factor, int32_t framesPerChunk) {
  ChunkOptions options;
  options.frameSubsamplingFactor = factor;
  options.framesPerChunk = framesPerChunk;
  return options;
}

Chunking makeChunking(const ChunkOptions &options, const ChunkContext &context,
                      int64_t framesPerChunk) {
  Chunking chunking;
  chunking.options = options;
  chunking.context = context;
  chunking.framesPerChunk = framesPerChunk;
  return chunking;
}

llvm::SmallVector<Chunk> planChunks(int64_t numFrames, int64_t framesPerChunk,
                                    const ChunkOptions &options,
                                    const ChunkContext &context) {
  return mlir::nnet3::planChunks(
      numFrames, makeChunking(options, context, framesPerChunk));
}

TEST(ChunkPlan, RoundsFramesPerChunkUp) {
  EXPECT_EQ(roundFramesPerChunk(makeOptions(1, 50), 1), 50);
  EXPECT_EQ(roundFramesPerChunk(makeOptions(3, 50), 1), 51);
  EXPECT_EQ(roundFramesPerChunk(makeOptions(3, 50), 2), 54);
  EXPECT_EQ(roundFramesPerChunk(makeOptions(4, 50), 6), 60);
  EXPECT_EQ(roundFramesPerChunk(makeOptions(3, 1), 3), 3);
}

// 57 frames with a subsampling factor of 3 give 19 outputs, 7 per chunk of 21
// frames.
TEST(ChunkPlan, CutsAnUtterance) {
  auto chunks = planChunks(57, 21, makeOptions(3, 21), {5, 4});
  ASSERT_EQ(chunks.size(), 3u);
  const int64_t firstOutputs[] = {0, 7, 14}, numOutputs[] = {7, 7, 5};
  const int64_t firstFrames[] = {0, 21, 42}, lastFrames[] = {18, 39, 54};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(chunks[i].firstOutput, firstOutputs[i]);
    EXPECT_EQ(chunks[i].numOutputs, numOutputs[i]);
    EXPECT_EQ(chunks[i].firstFrame, firstFrames[i]);
    EXPECT_EQ(chunks[i].lastFrame, lastFrames[i]);
    EXPECT_EQ(chunks[i].firstInput, firstFrames[i] - 5);
    EXPECT_EQ(chunks[i].lastInput, lastFrames[i] + 4);
  }
}

TEST(ChunkPlan, CutsAtTheEnd) {
  EXPECT_EQ(planChunks(40, 20, makeOptions(1, 20), {}).size(), 2u);
  EXPECT_EQ(planChunks(41, 20, makeOptions(1, 20), {}).size(), 3u);
  EXPECT_EQ(planChunks(41, 20, makeOptions(1, 20), {})[2].numOutputs, 1);
  EXPECT_EQ(planChunks(1, 20, makeOptions(1, 20), {}).size(), 1u);
  EXPECT_TRUE(planChunks(0, 20, makeOptions(1, 20), {}).empty());
}

// Chunks of 2, 3 and 7 outputs; the last one has the next possible length.
TEST(ChunkPlan, LengthensWhatThereIsNot) {
  Chunking chunking = makeChunking(makeOptions(3, 21), {5, 4}, 21);
  for (int64_t size : {7, 2, 3})
    chunking.addSize({size, 1});
  const int64_t numFrames[] = {3, 9, 12, 22}, lastFrames[] = {0, 6, 9, 21};
  const int64_t lastComputed[] = {3, 6, 18, 24};
  for (size_t i = 0; i < 4; ++i) {
    Chunk last = mlir::nnet3::planChunks(numFrames[i], chunking).back();
    EXPECT_EQ(last.lastFrame, lastFrames[i]);
    EXPECT_EQ(last.lastComputed, lastComputed[i]);
    EXPECT_EQ(last.lastInput, lastComputed[i] + 4);
  }
  auto chunks = mlir::nnet3::planChunks(22, chunking);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].lastComputed, chunks[0].lastFrame);
  EXPECT_EQ(chunks[1].numOutputs, 1);
}

// A size of 7 outputs that computes at least 5 of them exactly.
TEST(ChunkPlan, PadsOnlyWhereThatIsExact) {
  Chunking chunking = makeChunking(makeOptions(1, 7), {}, 7);
  chunking.addSize({7, 5});
  EXPECT_EQ(chunking.getSize(7), 7);
  EXPECT_EQ(chunking.getSize(5), 7);
  EXPECT_EQ(chunking.getSize(4), 4);
  EXPECT_EQ(mlir::nnet3::planChunks(12, chunking)[1].lastComputed, 13);
  EXPECT_EQ(mlir::nnet3::planChunks(11, chunking)[1].lastComputed, 10);

  // Where there are no other sizes, the plan ends before the last chunk.
  chunking.onlySizes = true;
  EXPECT_EQ(chunking.getSize(4), std::nullopt);
  EXPECT_EQ(mlir::nnet3::planChunks(11, chunking).size(), 1u);
  EXPECT_EQ(mlir::nnet3::planChunks(12, chunking).size(), 2u);
  chunking.addSize({4, 4});
  EXPECT_EQ(mlir::nnet3::planChunks(11, chunking)[1].lastComputed, 10);
}

TEST(ChunkPlan, HalvesPaddedSizesDownTo64Frames) {
  EXPECT_EQ(getPaddedSize(1, 50, 1), 50);
  EXPECT_EQ(getPaddedSize(1, 150, 1), 75);
  EXPECT_EQ(getPaddedSize(76, 150, 1), 150);
  EXPECT_EQ(getPaddedSize(1, 50, 3), 25);
  EXPECT_EQ(getPaddedSize(26, 50, 3), 50);
  EXPECT_EQ(getPaddedSize(1000, 1000000, 1), 1954);
}

TEST(ChunkPlan, AddsExtraContext) {
  ChunkOptions options = makeOptions(1, 10);
  options.extraLeftContext = 3;
  options.extraRightContext = 2;
  auto chunks = planChunks(25, 10, options, {1, 1});
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[0].firstInput, -4);
  EXPECT_EQ(chunks[1].firstInput, 6);
  EXPECT_EQ(chunks[1].lastInput, 22);
  EXPECT_EQ(chunks[2].lastInput, 27);

  // At the ends of the utterance others may apply, zero included.
  options.extraLeftContextInitial = 0;
  options.extraRightContextFinal = 7;
  chunks = planChunks(25, 10, options, {1, 1});
  EXPECT_EQ(chunks[0].firstInput, -1);
  EXPECT_EQ(chunks[0].lastInput, 12);
  EXPECT_EQ(chunks[1].firstInput, 6);
  EXPECT_EQ(chunks[1].lastInput, 22);
  EXPECT_EQ(chunks[2].lastInput, 32);
}

TEST(ChunkPlan, TakesTheIvectorOfTheMiddle) {
  // Frames 21 to 39.
  Chunk chunk = planChunks(60, 21, makeOptions(3, 21), {})[1];
  EXPECT_EQ(getOnlineIvectorRow(chunk, 10, 10), 3);
  EXPECT_EQ(getOnlineIvectorRow(chunk, 10, 31), 0);
  // Frames 20 to 39: the middle is rounded down.
  chunk = planChunks(60, 20, makeOptions(1, 20), {})[1];
  EXPECT_EQ(getOnlineIvectorRow(chunk, 40, 1), 29);
}

TEST(ChunkPlan, TakesTheLastIvectorIfItIsNotTooFarBack) {
  Chunk chunk;
  chunk.ivectorFrame = 79;
  // Row 7 is missing; the last one is 5 rows, then 6, before it.
  EXPECT_EQ(getOnlineIvectorRow(chunk, 3, 10), 2);
  EXPECT_EQ(getOnlineIvectorRow(chunk, 2, 10), std::nullopt);
  EXPECT_EQ(getOnlineIvectorRow(chunk, 0, 10), std::nullopt);
  // With nnet3-compute-batch, 2 rows may be missing.
  const ChunkRules rules = ChunkRules::ComputeBatch;
  EXPECT_EQ(getOnlineIvectorRow(chunk, 6, 10, rules), 5);
  EXPECT_EQ(getOnlineIvectorRow(chunk, 5, 10, rules), std::nullopt);
}

// The example of looped.md 3: 17 outputs in chunks of 7.
TEST(ChunkPlan, MovesTheLastChunkOfABatch) {
  Chunking chunking = makeChunking(makeOptions(3, 21), {5, 4}, 21);
  chunking.rules = ChunkRules::ComputeBatch;
  auto chunks = mlir::nnet3::planChunks(50, chunking);
  ASSERT_EQ(chunks.size(), 3u);
  const int64_t firstOutputs[] = {0, 7, 14}, numOutputs[] = {7, 7, 3};
  const int64_t numSkipped[] = {0, 0, 4}, firstFrames[] = {0, 21, 30};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(chunks[i].firstOutput, firstOutputs[i]);
    EXPECT_EQ(chunks[i].numOutputs, numOutputs[i]);
    EXPECT_EQ(chunks[i].numSkipped, numSkipped[i]);
    EXPECT_EQ(chunks[i].firstFrame, firstFrames[i]);
    EXPECT_EQ(chunks[i].lastComputed, firstFrames[i] + 18);
    EXPECT_EQ(chunks[i].firstInput, firstFrames[i] - 5);
    EXPECT_EQ(chunks[i].lastInput, firstFrames[i] + 18 + 2 + 4);
    EXPECT_EQ(chunks[i].ivectorFrame, firstFrames[i] + 9);
    EXPECT_FALSE(chunks[i].isEdge);
  }
}

TEST(ChunkPlan, PadsShortUtterancesOfABatch) {
  Chunking chunking = makeChunking(makeOptions(1, 20), {1, 1}, 20);
  chunking.rules = ChunkRules::ComputeBatch;
  chunking.options.extraLeftContextInitial = 0;
  chunking.options.extraLeftContext = 8;
  Chunk chunk = mlir::nnet3::planChunks(5, chunking).front();
  EXPECT_EQ(chunk.numOutputs, 5);
  EXPECT_EQ(chunk.lastFrame, 4);
  EXPECT_EQ(chunk.lastComputed, 19);
  EXPECT_EQ(chunk.firstInput, -1);
  EXPECT_EQ(chunk.lastInput, 20);
  EXPECT_EQ(chunk.ivectorFrame, 10);
  EXPECT_TRUE(chunk.isEdge);
  chunking.exactShort = true;
  chunk = mlir::nnet3::planChunks(5, chunking).front();
  EXPECT_EQ(chunk.lastComputed, 4);
  EXPECT_EQ(chunk.ivectorFrame, 2);
}

TEST(ChunkPlan, RoundsSizesOfBatchesUpToEighths) {
  EXPECT_EQ(getBatchedSize(1, 50), 7);
  EXPECT_EQ(getBatchedSize(7, 50), 7);
  EXPECT_EQ(getBatchedSize(8, 50), 14);
  EXPECT_EQ(getBatchedSize(50, 50), 50);
  EXPECT_EQ(getBatchedSize(3, 4), 3);
}

} // namespace
