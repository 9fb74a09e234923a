//===- IvectorStreamTest.cpp - Frames that come bit by bit ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorTesting.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace nnet3::rt::test;

namespace {

constexpr int64_t kDim = TestExtractor::kIvector;
constexpr int64_t kCols = TestExtractor::kFeatures;

/// Pushes frames in random pieces, with i-vector buffers of random sizes.
std::vector<float> computeInPieces(nnet3_ivector_stream *stream,
                                   const std::vector<float> &frames,
                                   unsigned seed) {
  std::minstd_rand generator(seed);
  std::vector<float> ivectors, room(3 * kDim);
  const auto keep = [&](int64_t count) {
    ivectors.insert(ivectors.end(), room.begin(), room.begin() + count * kDim);
  };
  const auto numFrames = static_cast<int64_t>(frames.size()) / kCols;
  for (int64_t begin = 0; begin < numFrames;) {
    const int64_t count =
        std::min<int64_t>(generator() % 40, numFrames - begin);
    int64_t used = -1, written = -1;
    EXPECT_EQ(nnet3_ivector_push(stream, frames.data() + begin * kCols, count,
                                 kCols, &used, room.data(), generator() % 4,
                                 &written),
              NNET3_IVECTOR_OK);
    begin += used;
    keep(written);
  }
  for (int64_t written = 3; written == 3; keep(written))
    EXPECT_EQ(nnet3_ivector_finish(stream, room.data(), 3, &written),
              NNET3_IVECTOR_OK);
  return ivectors;
}

TEST(IvectorStreamTest, PiecesMakeNoDifference) {
  const TestExtractor extractor("--cmn-window=50\n--speaker-frames=40\n"
                                "--global-frames=30\n");
  for (const char *option : {"--ivector-period=10", "--ivector-period=1",
                             "--ivector-period=37", "--repeat=true"}) {
    const IvectorPtr ivector = makeIvector(
        extractor.getOptions({"--use-most-recent-ivector=false", option}));
    const IvectorStreamPtr whole = openStream(ivector);
    const IvectorStreamPtr pieces = openStream(ivector);
    // More frames than are kept.
    for (int64_t numFrames : {0, 1, 2, 11, 700, 16, 1500}) {
      const std::vector<float> frames = makeFrames(numFrames, 5);
      EXPECT_EQ(computeInPieces(pieces.get(), frames, unsigned(numFrames)),
                computeAll(ivector, whole.get(), frames))
          << option << " " << numFrames;
      nnet3_ivector_next_utterance(whole.get());
      nnet3_ivector_next_utterance(pieces.get());
    }
  }
}

TEST(IvectorStreamTest, RowsComeAsSoonAsTheyCan) {
  const TestExtractor extractor;
  const IvectorPtr ivector =
      makeIvector(extractor.getOptions({"--use-most-recent-ivector=false"}));
  EXPECT_EQ(nnet3_ivector_right_context(ivector.get()), 1);
  EXPECT_EQ(nnet3_ivector_period(ivector.get()), 10);
  const IvectorStreamPtr stream = openStream(ivector);
  const std::vector<float> frames = makeFrames(12, 1);
  std::vector<float> rows(5 * kDim);
  int64_t used = 0, written = 0;
  nnet3_ivector_push(stream.get(), frames.data(), 1, kCols, &used, rows.data(),
                     5, &written);
  EXPECT_EQ(written, 0);
  nnet3_ivector_push(stream.get(), frames.data() + kCols, 10, kCols, &used,
                     rows.data(), 5, &written);
  EXPECT_EQ(written, 1);
  nnet3_ivector_push(stream.get(), frames.data() + 11 * kCols, 1, kCols, &used,
                     rows.data(), 5, &written);
  EXPECT_EQ(written, 1);
}

/// Pushes all frames without a buffer for i-vectors.
void pushAll(nnet3_ivector_stream *stream, const std::vector<float> &frames) {
  int64_t used = 0, written = 0;
  const auto count = static_cast<int64_t>(frames.size()) / kCols;
  EXPECT_EQ(nnet3_ivector_push(stream, frames.data(), count, kCols, &used,
                               nullptr, 0, &written),
            NNET3_IVECTOR_OK);
  EXPECT_EQ(used, count);
  EXPECT_EQ(written, 0);
}

/// The i-vector of all frames equals the last of the i-vectors of each frame.
TEST(IvectorStreamTest, LatestIsThatOfAllFrames) {
  const TestExtractor extractor;
  const IvectorPtr each = makeIvector(
      extractor.getOptions({"--use-most-recent-ivector=false",
                            "--ivector-period=1", "--exact-solve"}));
  const IvectorPtr latest = makeIvector(extractor.getOptions(
      {"--exact-solve", "--greedy-ivector-extractor=true"}));
  const IvectorStreamPtr rows = openStream(each), stream = openStream(latest);
  for (int64_t numFrames : {1, 40, 33}) {
    const std::vector<float> frames = makeFrames(numFrames, 2);
    const std::vector<float> all = computeAll(each, rows.get(), frames);
    std::vector<float> early(kDim), late(kDim);
    pushAll(stream.get(), frames);
    EXPECT_EQ(nnet3_ivector_latest(stream.get(), early.data()),
              NNET3_IVECTOR_OK);
    int64_t written = 0;
    EXPECT_EQ(nnet3_ivector_finish(stream.get(), nullptr, 0, &written),
              NNET3_IVECTOR_OK);
    nnet3_ivector_latest(stream.get(), late.data());
    for (int64_t d = 0; d < kDim; ++d) {
      // The last frame lacks its right context before the end.
      const float before = numFrames > 1 ? all[(numFrames - 2) * kDim + d] : 0;
      EXPECT_NEAR(early[d], before, 1e-5);
      EXPECT_NEAR(late[d], all[(numFrames - 1) * kDim + d], 1e-5);
    }
    nnet3_ivector_next_utterance(rows.get());
    nnet3_ivector_next_utterance(stream.get());
  }
}

TEST(IvectorStreamTest, WeightsMayComeLate) {
  const TestExtractor extractor;
  const IvectorPtr ivector =
      makeIvector(extractor.getOptions({"--min-post=0", "--exact-solve"}));
  const IvectorStreamPtr plain = openStream(ivector);
  const IvectorStreamPtr revised = openStream(ivector);
  const std::vector<float> frames = makeFrames(300, 4);
  const std::vector<float> ones(300, 1), minusHalf(100, -0.5f), half(100, 0.5f);
  pushAll(plain.get(), frames);
  EXPECT_EQ(nnet3_ivector_change_weights(revised.get(), 0, ones.data(), 300),
            NNET3_IVECTOR_OK);
  pushAll(revised.get(), frames);
  std::vector<float> expected(kDim), found(kDim);
  nnet3_ivector_latest(plain.get(), expected.data());
  nnet3_ivector_latest(revised.get(), found.data());
  EXPECT_EQ(found, expected);
  // Taken away and given back.
  nnet3_ivector_change_weights(revised.get(), 50, minusHalf.data(), 100);
  pushAll(revised.get(), makeFrames(1, 9));
  nnet3_ivector_latest(revised.get(), found.data());
  EXPECT_NE(found, expected);
  nnet3_ivector_change_weights(revised.get(), 50, half.data(), 100);
  pushAll(revised.get(), makeFrames(1, 9));
  nnet3_ivector_latest(revised.get(), found.data());
  // The last of the 300 frames had no right context before.
  pushAll(plain.get(), makeFrames(1, 9));
  nnet3_ivector_latest(plain.get(), expected.data());
  for (int64_t d = 0; d < kDim; ++d)
    EXPECT_NEAR(found[d], expected[d], 1e-5);
}

TEST(IvectorStreamTest, WeightsOutOfReach) {
  const TestExtractor extractor;
  const IvectorPtr ivector = makeIvector(extractor.getOptions({}));
  const IvectorStreamPtr stream = openStream(ivector);
  const std::vector<float> ones(2000, 1);
  const auto change = [&](int64_t first, int64_t count) {
    return nnet3_ivector_change_weights(stream.get(), first, ones.data(),
                                        count);
  };
  EXPECT_EQ(change(0, NNET3_IVECTOR_WEIGHT_REACH + 1),
            NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_EQ(change(-1, 1), NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_EQ(change(0, NNET3_IVECTOR_WEIGHT_REACH), NNET3_IVECTOR_OK);
  pushAll(stream.get(), makeFrames(1000, 1));
  EXPECT_EQ(change(1000 - NNET3_IVECTOR_WEIGHT_REACH - 1, 1),
            NNET3_IVECTOR_INVALID_ARGUMENT);
  EXPECT_EQ(
      change(1000 - NNET3_IVECTOR_WEIGHT_REACH, 2 * NNET3_IVECTOR_WEIGHT_REACH),
      NNET3_IVECTOR_OK);
  nnet3_ivector_reset(stream.get());
  pushAll(stream.get(), makeFrames(1, 1));
  EXPECT_EQ(change(0, 1), NNET3_IVECTOR_INVALID_ARGUMENT);
}

TEST(IvectorStreamTest, InfoCounts) {
  const TestExtractor extractor;
  const IvectorPtr ivector = makeIvector(extractor.getOptions({}));
  const IvectorStreamPtr stream = openStream(ivector);
  pushAll(stream.get(), makeFrames(50, 1));
  std::vector<float> row(kDim);
  nnet3_ivector_latest(stream.get(), row.data());
  nnet3_ivector_info info{};
  EXPECT_EQ(nnet3_ivector_get_info(stream.get(), &info),
            NNET3_IVECTOR_INVALID_ARGUMENT);
  info.struct_size = sizeof(info);
  EXPECT_EQ(nnet3_ivector_get_info(stream.get(), &info), NNET3_IVECTOR_OK);
  EXPECT_EQ(info.num_frames, 50);
  EXPECT_NEAR(info.count, 4.9, 1e-5);
  EXPECT_GT(info.improvement, 0);
  EXPECT_LT(info.log_likelihood, 0);
}

} // namespace
