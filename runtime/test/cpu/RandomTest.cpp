//===- RandomTest.cpp - Random components ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/math/Random.h"
#include "test/support/ProgramWriter.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

// Known answers of the Random123 library.
TEST(PhiloxTest, KnownAnswers) {
  using Block = std::array<uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                   {0xffffffff, 0xffffffff}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                   {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(PhiloxTest, IntegersAreInclusiveAndUniform) {
  RunContext context;
  context.seed = 7;
  RandomStream random(context);
  std::map<int32_t, int> counts;
  for (uint64_t i = 0; i < 6000; ++i)
    ++counts[random.integer(i, -1, 4)];
  ASSERT_EQ(counts.size(), 6u);
  for (auto [value, count] : counts)
    EXPECT_NEAR(count, 1000, 120) << value;
}

TEST(PhiloxTest, ManyAtOnceAreTheSame) {
  RunContext context;
  context.seed = 0x123456789;
  context.run = 5;
  context.commandNumber = 6;
  RandomStream random(context, RandomPurpose::Backprop);
  for (uint64_t position : {uint64_t(0), uint64_t(3), (uint64_t(1) << 34) - 40})
    for (int64_t n : {0, 1, 3, 4, 63, 64, 65, 200}) {
      std::vector<float> many(n + 1, 7.0f);
      random.uniform(position, n, many.data());
      EXPECT_EQ(many[n], 7) << "written beyond";
      for (int64_t i = 0; i < n; ++i)
        ASSERT_EQ(many[i], random.uniform(position + uint64_t(i)));
    }
}

Trial trialFor(const std::string &type, Attrs attrs, const Matrix &x) {
  Trial trial;
  trial.type = type;
  trial.attrs = std::move(attrs);
  trial.outRows = x.rows;
  trial.outCols = x.cols;
  return trial;
}

double meanOf(const Matrix &matrix) {
  double sum = 0;
  for (float value : matrix.values)
    sum += value;
  return sum / double(matrix.values.size());
}

TEST(DropoutTest, PerElement) {
  const Matrix x(100, 50, 3.0f);
  Trial trial = trialFor("DropoutComponent",
                         {{"dim", 50}, {"dropout_proportion", 0.3}}, x);
  const Matrix y = propagate(trial, x);
  for (float value : y.values)
    ASSERT_TRUE(value == 0 || value == 3) << value; // not rescaled
  EXPECT_NEAR(meanOf(y), 3 * 0.7, 0.1);
  EXPECT_EQ(propagate(trial, x).values, y.values) << "the same seed";
  trial.options.seed = 1;
  EXPECT_NE(propagate(trial, x).values, y.values) << "another seed";
}

TEST(DropoutTest, PerFrame) {
  const Matrix x(1000, 3, 1.0f);
  const Matrix y = propagate(trialFor("DropoutComponent",
                                      {{"dim", 3},
                                       {"dropout_proportion", 0.3},
                                       {"dropout_per_frame", true}},
                                      x),
                             x);
  for (int32_t r = 0; r < y.rows; ++r)
    ASSERT_TRUE(y.at(r, 0) == y.at(r, 1) && y.at(r, 1) == y.at(r, 2));
  EXPECT_NEAR(meanOf(y), 0.7, 0.05);
}

TEST(DropoutTest, TestModeScales) {
  const Matrix x = randomMatrix(4, 17, 40);
  std::vector<double> expected;
  for (float value : x.values)
    expected.push_back(0.7 * value);
  expectNear(propagate(trialFor("DropoutComponent",
                                {{"dim", 17},
                                 {"dropout_proportion", 0.3},
                                 {"test_mode", true}},
                                x),
                       x),
             expected, 1e-6);
}

Attrs maskIndexes(int numMaskRows, std::vector<int64_t> indexes) {
  return {{"num_mask_rows", numMaskRows}, {"indexes", std::move(indexes)}};
}

TEST(GeneralDropoutTest, MasksAreShared) {
  const Matrix x(4, 400, 1.0f);
  Trial trial = trialFor("GeneralDropoutComponent",
                         {{"dim", 400}, {"dropout_proportion", 0.25}}, x);
  trial.precomputed = maskIndexes(2, {0, 1, 0, 1});
  const Matrix y = propagate(trial, x);
  int differences = 0;
  for (int32_t c = 0; c < 400; ++c) {
    ASSERT_EQ(y.at(0, c), y.at(2, c));
    ASSERT_EQ(y.at(1, c), y.at(3, c));
    ASSERT_TRUE(y.at(0, c) == 0 || std::fabs(y.at(0, c) - 4.0 / 3) < 1e-6);
    differences += y.at(0, c) != y.at(1, c);
  }
  EXPECT_GT(differences, 50);
  EXPECT_NEAR(meanOf(y), 1.0, 0.1);
  trial.inPlace = true;
  EXPECT_EQ(propagate(trial, x).values, y.values);
}

TEST(GeneralDropoutTest, BlocksOfAFrameShareAMask) {
  const Matrix x(2, 30, 1.0f);
  Trial trial = trialFor("GeneralDropoutComponent",
                         {{"dim", 30},
                          {"block_dim", 10},
                          {"dropout_proportion", 0.4},
                          {"continuous", true}},
                         x);
  trial.precomputed = maskIndexes(6, {0, 1});
  const Matrix y = propagate(trial, x);
  for (int32_t r = 0; r < 2; ++r)
    for (int32_t c = 0; c < 30; ++c) {
      EXPECT_EQ(y.at(r, c), y.at(r, c % 10));
      EXPECT_GE(y.at(r, c), 1 - 0.8f - 1e-6f); // uniform on [1 - 2p, 1 + 2p]
      EXPECT_LE(y.at(r, c), 1 + 0.8f + 1e-6f);
    }
}

TEST(GeneralDropoutTest, SpecAugmentZeroesACyclicRange) {
  const int32_t bins = 40, rows = 200;
  const Matrix x(rows, bins, 1.0f);
  std::vector<int64_t> indexes;
  for (int32_t r = 0; r < rows; ++r)
    indexes.push_back(r);
  Trial trial =
      trialFor("GeneralDropoutComponent",
               {{"dim", bins}, {"specaugment_max_proportion", 0.5}}, x);
  trial.precomputed = maskIndexes(rows, indexes);
  const Matrix y = propagate(trial, x);
  int longest = 0;
  for (int32_t r = 0; r < rows; ++r) {
    int zeros = 0, edges = 0;
    for (int32_t c = 0; c < bins; ++c) {
      ASSERT_TRUE(y.at(r, c) == 0 || y.at(r, c) == 1);
      zeros += y.at(r, c) == 0;
      edges += y.at(r, c) != y.at(r, (c + 1) % bins);
    }
    EXPECT_EQ(edges, zeros ? 2 : 0);
    EXPECT_LE(zeros, 20);
    longest = std::max(longest, zeros);
  }
  EXPECT_GT(longest, 15);
}

TEST(GeneralDropoutTest, SpecAugmentRegionsKeepTheCount) {
  const Matrix x(1, 40, 1.0f);
  Attrs attrs = {{"dim", 40}, {"specaugment_max_proportion", 0.5}};
  Trial one = trialFor("GeneralDropoutComponent", attrs, x);
  one.precomputed = maskIndexes(1, {0});
  Trial three = one;
  three.attrs.push_back({"specaugment_max_regions", 3});
  EXPECT_EQ(meanOf(propagate(one, x)), meanOf(propagate(three, x)));
}

TEST(GeneralDropoutTest, TestModeIsIdentity) {
  const Matrix x = randomMatrix(3, 5, 41);
  EXPECT_EQ(propagate(trialFor("GeneralDropoutComponent",
                               {{"dim", 5}, {"test_mode", true}}, x),
                      x)
                .values,
            x.values);
}

TEST(SpecAugmentTimeMaskTest, StretchesAlternate) {
  // Two sequences, interleaved; one column is enough to see the mask.
  const int32_t frames = 3000;
  const Matrix x(2 * frames, 1, 1.0f);
  std::vector<int64_t> rows;
  for (int32_t n = 0; n < 2; ++n)
    for (int32_t t = 0; t < frames; ++t)
      rows.push_back(2 * t + n);
  Trial trial = trialFor(
      "SpecAugmentTimeMaskComponent",
      {{"dim", 1}, {"zeroed_proportion", 0.25}, {"time_mask_max_frames", 10}},
      x);
  trial.precomputed = {{"rows", rows},
                       {"lengths", std::vector<int64_t>{frames, frames}}};
  const Matrix y = propagate(trial, x);
  EXPECT_NEAR(meanOf(y), 0.75, 0.05);
  for (int32_t n = 0; n < 2; ++n) {
    int run = 0, longestZero = 0, longestOne = 0;
    for (int32_t t = 0; t < frames; ++t) {
      const float value = y.at(2 * t + n, 0);
      ASSERT_TRUE(value == 0 || value == 1);
      run = t > 0 && y.at(2 * (t - 1) + n, 0) == value ? run + 1 : 1;
      int &longest = value == 0 ? longestZero : longestOne;
      longest = std::max(longest, run);
    }
    EXPECT_EQ(longestZero, 10);
    EXPECT_EQ(longestOne, 30); // floor(10 * 0.75 / 0.25)
  }
  trial.attrs.push_back({"test_mode", true});
  EXPECT_EQ(propagate(trial, x).values, x.values);
}

} // namespace
