//===- FeatureTesting.cpp - Features in tests -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureTesting.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace nnet3::rt::test;

FeaturesPtr nnet3::rt::test::makeFeatures(nnet3_features_kind kind,
                                          const std::string &config) {
  nnet3_features *features = nullptr;
  char message[200] = "";
  EXPECT_EQ(nnet3_features_create(kind, config.data(), config.size(), &features,
                                  message, sizeof(message)),
            NNET3_FEATURES_OK)
      << message;
  return {features, nnet3_features_destroy};
}

FeatureStreamPtr nnet3::rt::test::openStream(const FeaturesPtr &features) {
  nnet3_features_stream *stream = nullptr;
  EXPECT_EQ(nnet3_features_open(features.get(), &stream), NNET3_FEATURES_OK);
  return {stream, nnet3_features_close};
}

std::vector<float> nnet3::rt::test::makeSound(int64_t numSamples,
                                              unsigned seed) {
  std::minstd_rand generator(seed);
  std::normal_distribution<float> noise(0, 300);
  std::vector<float> samples(numSamples);
  for (int64_t i = 0; i < numSamples; ++i) {
    const double t = static_cast<double>(i);
    const bool isPause = i / 1500 % 4 == 3;
    const double tones =
        6000 * std::sin(0.11 * t + seed) + 2500 * std::sin(0.63 * t);
    samples[i] =
        isPause ? 0 : std::round(static_cast<float>(tones) + noise(generator));
  }
  return samples;
}

std::vector<float>
nnet3::rt::test::computeAll(const FeaturesPtr &features,
                            const std::vector<float> &samples) {
  const int64_t count = static_cast<int64_t>(samples.size());
  const int64_t numRows = nnet3_features_num_rows(features.get(), count);
  std::vector<float> rows(numRows * nnet3_features_dim(features.get()) + 1);
  const FeatureStreamPtr stream = openStream(features);
  int64_t used = 0, pushed = 0, finished = 0;
  EXPECT_EQ(nnet3_features_push(stream.get(), samples.data(), count, &used,
                                rows.data(), numRows, &pushed),
            NNET3_FEATURES_OK);
  EXPECT_EQ(used, count);
  float *rest = rows.data() + pushed * nnet3_features_dim(features.get());
  EXPECT_EQ(
      nnet3_features_finish(stream.get(), rest, numRows - pushed, &finished),
      NNET3_FEATURES_OK);
  EXPECT_EQ(pushed + finished, numRows);
  rows.pop_back();
  return rows;
}
