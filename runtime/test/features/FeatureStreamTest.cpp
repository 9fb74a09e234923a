//===- FeatureStreamTest.cpp - Samples that come bit by bit ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureTesting.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace nnet3::rt::test;

namespace {

const char *const kConfigs[] = {
    "",
    "--snip-edges=false",
    "--frame-length=25.07\n--snip-edges=false",
    "--frame-length=10\n--frame-shift=25\n--low-freq=100",
    "--frame-length=10\n--frame-shift=25\n--low-freq=100\n--snip-edges=false",
    "--dither=1"};

/// Pushes \p samples in random pieces, with row buffers of random sizes.
std::vector<float> computeInPieces(const FeaturesPtr &features,
                                   nnet3_features_stream *stream,
                                   const std::vector<float> &samples,
                                   unsigned seed) {
  std::minstd_rand generator(seed);
  const int32_t dim = nnet3_features_dim(features.get());
  std::vector<float> rows, room(3 * dim);
  const auto keep = [&](int64_t numRows) {
    rows.insert(rows.end(), room.begin(), room.begin() + numRows * dim);
  };
  size_t begin = 0;
  while (begin < samples.size()) {
    const size_t count =
        std::min<size_t>(generator() % 1000, samples.size() - begin);
    int64_t used = -1, numRows = -1;
    EXPECT_EQ(nnet3_features_push(stream, samples.data() + begin, count, &used,
                                  room.data(), generator() % 4, &numRows),
              NNET3_FEATURES_OK);
    begin += used;
    keep(numRows);
  }
  for (int64_t numRows = 3; numRows == 3; keep(numRows))
    EXPECT_EQ(nnet3_features_finish(stream, room.data(), 3, &numRows),
              NNET3_FEATURES_OK);
  return rows;
}

TEST(FeatureStreamTest, PiecesMakeNoDifference) {
  for (const char *config : kConfigs) {
    const FeaturesPtr features = makeFeatures(NNET3_FEATURES_MFCC, config);
    const FeatureStreamPtr stream = openStream(features);
    for (int64_t numSamples : {0, 1, 50, 79, 80, 81, 239, 240, 400, 401, 9000})
      for (unsigned seed : {1, 2, 3}) {
        const std::vector<float> samples = makeSound(numSamples, seed);
        EXPECT_EQ(computeInPieces(features, stream.get(), samples, seed),
                  computeAll(features, samples))
            << config << " " << numSamples;
        EXPECT_EQ(nnet3_features_reset(stream.get()), NNET3_FEATURES_OK);
      }
  }
}

TEST(FeatureStreamTest, RowsComeAsSoonAsTheyCan) {
  const FeaturesPtr features = makeFeatures(NNET3_FEATURES_MFCC, "");
  const FeatureStreamPtr stream = openStream(features);
  const std::vector<float> samples = makeSound(401, 1);
  std::vector<float> row(13);
  int64_t used = 0, numRows = 0;
  nnet3_features_push(stream.get(), samples.data(), 399, &used, row.data(), 1,
                      &numRows);
  EXPECT_EQ(used, 399);
  EXPECT_EQ(numRows, 0);
  nnet3_features_push(stream.get(), samples.data() + 399, 1, &used, row.data(),
                      1, &numRows);
  EXPECT_EQ(numRows, 1);
}

TEST(FeatureStreamTest, CountsFrames) {
  const FeaturesPtr snipped = makeFeatures(NNET3_FEATURES_MFCC, "");
  EXPECT_EQ(nnet3_features_num_rows(snipped.get(), 399), 0);
  EXPECT_EQ(nnet3_features_num_rows(snipped.get(), 400), 1);
  EXPECT_EQ(nnet3_features_num_rows(snipped.get(), 560), 2);
  const FeaturesPtr whole =
      makeFeatures(NNET3_FEATURES_MFCC, "--snip-edges=false");
  EXPECT_EQ(nnet3_features_num_rows(whole.get(), 79), 0);
  EXPECT_EQ(nnet3_features_num_rows(whole.get(), 80), 1);
  EXPECT_EQ(nnet3_features_num_rows(whole.get(), 16000), 100);
}

TEST(FeatureStreamTest, NoiseIsTheSameInEachStream) {
  const FeaturesPtr noisy = makeFeatures(NNET3_FEATURES_MFCC, "--dither=1");
  const FeaturesPtr plain = makeFeatures(NNET3_FEATURES_MFCC, "");
  const std::vector<float> samples = makeSound(3000, 1);
  EXPECT_EQ(computeAll(noisy, samples), computeAll(noisy, samples));
  EXPECT_NE(computeAll(noisy, samples), computeAll(plain, samples));
}

TEST(FeatureStreamTest, WarpingMovesThePeak) {
  // A tone of 1000 Hz has its peak where one of 1000 / 0.8 Hz has it without.
  std::vector<float> low(4000), high(4000);
  for (size_t i = 0; i < low.size(); ++i) {
    low[i] = 10000 * std::sin(2 * 3.14159265f * 1000 / 16000 * float(i));
    high[i] = 10000 * std::sin(2 * 3.14159265f * 1250 / 16000 * float(i));
  }
  const std::string config = "--num-mel-bins=40\n";
  const auto findPeak = [](const std::vector<float> &rows) {
    return std::max_element(rows.begin(), rows.begin() + 40) - rows.begin();
  };
  const auto plain = makeFeatures(NNET3_FEATURES_FBANK, config);
  const auto warped =
      makeFeatures(NNET3_FEATURES_FBANK, config + "--vtln-warp=0.8");
  EXPECT_EQ(findPeak(computeAll(warped, high)),
            findPeak(computeAll(plain, low)));
  EXPECT_NE(findPeak(computeAll(plain, high)),
            findPeak(computeAll(plain, low)));
}

} // namespace
