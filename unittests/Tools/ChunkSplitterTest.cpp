//===- ChunkSplitterTest.cpp - Splitting utterances into chunks -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../lib/Tools/Examples/ChunkSplitter.h"
#include "llvm/Testing/Support/Error.h"
#include "gtest/gtest.h"

#include <map>
#include <numeric>

using namespace mlir::nnet3;

static ChunkSplitter makeSplitter(const ExampleChunkOptions &options) {
  return llvm::cantFail(ChunkSplitter::create(options));
}

static std::vector<int32_t> getSizes(const std::vector<ExampleChunk> &chunks) {
  std::vector<int32_t> sizes;
  for (const ExampleChunk &chunk : chunks)
    sizes.push_back(chunk.numFrames);
  return sizes;
}

TEST(ChunkSplitterTest, CutsWithoutRestWhereItCan) {
  ExampleChunkOptions options;
  options.numFrames = "10";
  options.leftContext = 3;
  options.leftContextInitial = 0;
  options.rightContext = 2;
  options.rightContextFinal = 1;
  std::mt19937_64 random(1);
  auto chunks = makeSplitter(options).split(30, random);
  ASSERT_EQ(chunks.size(), 3u);
  for (int32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(chunks[i].firstFrame, 10 * i);
    EXPECT_EQ(chunks[i].leftContext, i == 0 ? 0 : 3);
    EXPECT_EQ(chunks[i].rightContext, i == 2 ? 1 : 2);
    EXPECT_EQ(chunks[i].outputWeights, std::vector<float>(10, 1.0f));
  }
}

// For all lengths, chunks lie inside the utterance and have valid sizes, and
// the weights of each frame sum up to 1, or 0 if it is in no chunk.
TEST(ChunkSplitterTest, CutsAnyUtterance) {
  for (int32_t overlap : {0, 4, 15})
    for (int32_t factor : {1, 3}) {
      ExampleChunkOptions options;
      options.numFrames = "30,21,12";
      options.numFramesOverlap = overlap;
      options.frameSubsamplingFactor = factor;
      ChunkSplitter splitter = makeSplitter(options);
      std::mt19937_64 random(overlap + factor);
      for (int32_t length = 1; length < 400; ++length) {
        auto chunks = splitter.split(length, random);
        EXPECT_EQ(chunks.empty(), length < 12) << length;
        const int32_t numUnits = (length + factor - 1) / factor;
        std::vector<float> weights(numUnits);
        int32_t last = -1;
        for (const ExampleChunk &chunk : chunks) {
          EXPECT_TRUE(chunk.numFrames == 30 || chunk.numFrames == 21 ||
                      chunk.numFrames == 12);
          EXPECT_GT(chunk.firstFrame, last);
          EXPECT_EQ(chunk.firstFrame % factor, 0);
          ASSERT_LE((chunk.firstFrame + chunk.numFrames) / factor, numUnits);
          last = chunk.firstFrame;
          ASSERT_EQ(chunk.outputWeights.size(),
                    size_t(chunk.numFrames / factor));
          for (size_t i = 0; i < chunk.outputWeights.size(); ++i)
            weights[chunk.firstFrame / factor + i] += chunk.outputWeights[i];
        }
        int32_t numUnused = 0;
        for (float weight : weights) {
          EXPECT_TRUE(weight == 0 || std::abs(weight - 1) < 1e-5f) << weight;
          numUnused += weight == 0;
        }
        // Two others always come close.
        if (length >= 60)
          EXPECT_LE(numUnused * factor, 6) << length;
      }
    }
}

// Splitting 33 frames into 21 and 12, or into 12 and 21, is equally good.
TEST(ChunkSplitterTest, DrawsOrderAndGaps) {
  ExampleChunkOptions options;
  options.numFrames = "30,21,12";
  ChunkSplitter splitter = makeSplitter(options);
  std::mt19937_64 random(3);
  std::map<std::vector<int32_t>, int32_t> orders;
  for (int32_t i = 0; i < 1000; ++i)
    ++orders[getSizes(splitter.split(33, random))];
  ASSERT_EQ(orders.size(), 2u);
  // The deviation of 500 is 16.
  EXPECT_NEAR((orders[{12, 21}]), 500, 80);

  options.numFrames = "10";
  splitter = makeSplitter(options);
  std::map<int32_t, int32_t> starts;
  for (int32_t i = 0; i < 1000; ++i)
    ++starts[splitter.split(11, random).front().firstFrame];
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_NEAR(starts[0], 500, 80);
}

TEST(ChunkSplitterTest, TakesWholeUtterances) {
  ExampleChunkOptions options;
  options.numFrames = "-1";
  options.frameSubsamplingFactor = 3;
  std::mt19937_64 random(1);
  auto chunks = makeSplitter(options).split(10, random);
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks.front().firstFrame, 0);
  EXPECT_EQ(chunks.front().numFrames, 12);
}

// Longer utterances get more principal chunks.
TEST(ChunkSplitterTest, CutsLongUtterances) {
  ExampleChunkOptions options;
  options.numFrames = "30,21,12";
  std::mt19937_64 random(1);
  auto chunks = makeSplitter(options).split(100000, random);
  std::vector<int32_t> sizes = getSizes(chunks);
  EXPECT_NEAR(std::accumulate(sizes.begin(), sizes.end(), 0), 100000, 3);
  EXPECT_GE(std::count(sizes.begin(), sizes.end(), 30),
            int64_t(sizes.size()) - 2);
}
