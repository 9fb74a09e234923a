//===- TruncationTest.cpp - NoOp and BackpropTruncation -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Golden numbers are rows of the reference's results.
//
//===----------------------------------------------------------------------===//

#include "test/support/BackpropTrial.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

TEST(NoOpTest, ScalesTheDerivative) {
  const Matrix x = randomMatrix(4, 17, 60), dy = randomMatrix(4, 17, 61);
  for (double scale : {1.0, 0.25, 0.0}) {
    BackpropTrial trial =
        trialOf("NoOpComponent", {{"dim", 17}, {"backprop_scale", scale}}, x);
    std::vector<double> expected;
    for (float value : dy.values)
      expected.push_back(scale * value);
    expectNear(inDerivBothWays(trial, x, dy), expected, 0);
    trial.inPlaceForward = true;
    EXPECT_EQ(backprop(trial, x, dy).output.values, x.values);
  }
}

const std::vector<float> kTruncationOutDeriv = {
    1.4428798f,    -1.12843049f, -0.23806715f,  0.962506413f,  -0.673622787f,
    0.342550397f,  1.12599647f,  0.016703872f,  -0.572310865f, -0.276832968f,
    1.30867648f,   1.24740076f,  0.191832229f,  -0.297109783f, -0.634465754f,
    -0.84906739f,  -1.13908172f, 0.928558707f,  -0.232537091f, 1.75005448f,
    0.565034509f,  -1.29354155f, 2.13057327f,   -1.80828619f,  -1.80925405f,
    -0.216189951f, 1.17330468f,  -0.307750404f, 0.703929484f,  1.7337575f,
};
const std::vector<float> kTruncationInDeriv = {
    0.976797474f,
    -0.763922297f,
    -0.161166156f,
    0.651595397f,
    -0.456027618f,
    0.231898987f,
    0.0,
    0.0,
    0,
    0,
    0.0,
    0.0,
    0.155864133f,
    -0.24140239f,
    -0.515504903f,
    -0.689869232f,
    -0.925506548f,
    0.754456112f,
    -0.0970458848f,
    0.730359122f,
    0.235808721f,
    -0.539840263f,
    0.889162962f,
    -0.754661257f,
    0,
    0,
    0.0,
    0,
    0.0,
    0.0,
};

Attrs timesOf(std::vector<int64_t> times, int first = 0) {
  return {{"first_time", first}, {"times", std::move(times)}};
}

/// The attributes of the golden case; its first rows are t = 0..4 of n = 0.
BackpropTrial goldenTruncation(const Matrix &x) {
  BackpropTrial trial = trialOf("BackpropTruncationComponent",
                                {{"dim", 6},
                                 {"scale", 0.9},
                                 {"clipping_threshold", 1.5},
                                 {"zeroing_threshold", 2.0},
                                 {"zeroing_interval", 4},
                                 {"recurrence_interval", 2}},
                                x);
  trial.precomputed = timesOf({0, 1, 2, 3, 4});
  return trial;
}

TEST(BackpropTruncationTest, MatchesGolden) {
  const Matrix dy = matrixOf(5, kTruncationOutDeriv);
  expectNear(inDerivBothWays(goldenTruncation(dy), dy, dy),
             {kTruncationInDeriv.begin(), kTruncationInDeriv.end()}, 1e-6);
}

TEST(BackpropTruncationTest, CountsTimesFromTheFirst) {
  const Matrix dy = matrixOf(5, kTruncationOutDeriv);
  BackpropTrial trial = goldenTruncation(dy);
  const std::vector<float> expected = inDerivBothWays(trial, dy, dy).values;
  // Eight frames earlier, boundaries are at the same rows.
  trial.precomputed = timesOf({0, 1, 2, 3, 4}, -8);
  EXPECT_EQ(inDerivBothWays(trial, dy, dy).values, expected);
  trial.precomputed = timesOf({1, 2, 3, 4, 5}, -9);
  EXPECT_EQ(inDerivBothWays(trial, dy, dy).values, expected);
  trial.precomputed = timesOf({0, 1, 2, 3, 4}, -9);
  EXPECT_NE(inDerivBothWays(trial, dy, dy).values, expected);
}

TEST(BackpropTruncationTest, CountsRows) {
  const Matrix dy = matrixOf(5, kTruncationOutDeriv);
  BackpropTrial trial = goldenTruncation(dy);
  trial.attrs.push_back({"num_elements_clipped", 10.0});
  trial.attrs.push_back({"num_elements_zeroed", 20.0});
  trial.attrs.push_back({"num_elements_processed", 30.0});
  trial.attrs.push_back({"num_zeroing_boundaries", 40.0});
  // All rows are longer than 1.5, and two of the three at boundaries longer
  // than 2; these are counted twice.
  EXPECT_EQ(exportedNumbers(*backprop(trial, dy, dy).model),
            "num_elements_clipped=15 num_elements_zeroed=22 "
            "num_elements_processed=35 num_zeroing_boundaries=43 ");
}

TEST(BackpropTruncationTest, ThresholdsOfZeroAreNone) {
  const Matrix dy = randomMatrix(3, 17, 62, 1e6f);
  BackpropTrial trial = trialOf(
      "BackpropTruncationComponent",
      {{"dim", 17}, {"clipping_threshold", 0.0}, {"zeroing_threshold", -1.0}},
      dy);
  trial.precomputed = timesOf({0, 1, 20});
  EXPECT_EQ(inDerivBothWays(trial, dy, dy).values, dy.values);
}

TEST(BackpropTruncationTest, ChecksItsIndexes) {
  ProgramWriter writer;
  const int32_t c =
      writer.component("c", "BackpropTruncationComponent", {{"dim", 3}});
  const int32_t in = writer.input("input", 4, 3);
  const int32_t out = writer.zeroed(4, 3);
  writer.propagate(c, in, out, writer.precomputed(timesOf({0, 1, 2})));
  writer.output("output", out);
  EXPECT_NE(loadError(writer).find("expects 4 entries of 'times', but got 3"),
            std::string::npos);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
