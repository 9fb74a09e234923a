//===- DropoutBackwardTest.cpp - Derivatives through random masks ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With the same seed the mask is the same, so that differences work.
//
//===----------------------------------------------------------------------===//

#include "test/support/BackpropTrial.h"
#include "test/support/NumericDerivatives.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// Expects the derivative that differences give, and the output that the
/// component has where nothing runs backward. Gives the derivative.
Matrix expectDifferences(const BackpropTrial &trial, const Matrix &x) {
  const Matrix dy = randomMatrix(trial.outRows, trial.outCols, 80);
  const Matrix slope = numericInDeriv(trial, x, dy);
  const Matrix dx = inDerivBothWays(trial, x, dy);
  expectNear(dx, {slope.values.begin(), slope.values.end()}, 1e-3);
  EXPECT_EQ(backprop(trial, x, dy).output.values, outputOf(trial, x).values);
  return dx;
}

int32_t numZeros(const Matrix &matrix) {
  int32_t zeros = 0;
  for (float value : matrix.values)
    zeros += value == 0;
  return zeros;
}

TEST(DropoutBackwardTest, MasksAsForward) {
  const Matrix x = randomMatrix(6, 5, 81);
  for (bool perFrame : {false, true}) {
    BackpropTrial trial = trialOf("DropoutComponent",
                                  {{"dim", 5},
                                   {"dropout_proportion", 0.4},
                                   {"dropout_per_frame", perFrame}},
                                  x);
    trial.seed = 3;
    const int32_t zeros = numZeros(expectDifferences(trial, x));
    EXPECT_GT(zeros, 0);
    EXPECT_LT(zeros, 30);
    trial.attrs.push_back({"test_mode", true});
    EXPECT_EQ(numZeros(expectDifferences(trial, x)), 0);
  }
}

TEST(DropoutBackwardTest, ZerosPassTheDerivative) {
  const Matrix x(6, 5), dy = randomMatrix(6, 5, 82);
  const BackpropTrial trial =
      trialOf("DropoutComponent", {{"dim", 5}, {"dropout_proportion", 0.4}}, x);
  EXPECT_EQ(inDerivBothWays(trial, x, dy).values, dy.values);
}

TEST(GeneralDropoutBackwardTest, KeepsItsMask) {
  const Matrix x = randomMatrix(4, 12, 83);
  const Attrs kinds[] = {
      {{"dropout_proportion", 0.4}},
      {{"dropout_proportion", 0.4}, {"continuous", true}},
      {{"specaugment_max_proportion", 0.7}, {"specaugment_max_regions", 2}}};
  for (const Attrs &kind : kinds) {
    for (int32_t blockDim : {12, 4}) {
      BackpropTrial trial = trialOf("GeneralDropoutComponent", kind, x);
      trial.attrs.push_back({"dim", 12});
      trial.attrs.push_back({"block_dim", blockDim});
      trial.precomputed = {{"num_mask_rows", 2},
                           {"indexes", std::vector<int64_t>{0, 1, 0, 1}}};
      trial.seed = 5;
      const Matrix dx = expectDifferences(trial, x);
      trial.inPlaceForward = true;
      const Matrix dy = randomMatrix(4, 12, 80);
      EXPECT_EQ(inDerivBothWays(trial, x, dy).values, dx.values);
    }
  }
}

TEST(GeneralDropoutBackwardTest, TestModeIsIdentity) {
  const Matrix x = randomMatrix(4, 12, 84), dy = randomMatrix(4, 12, 85);
  for (const Attrs &attrs : {Attrs{{"dim", 12}, {"test_mode", true}},
                             Attrs{{"dim", 12}, {"dropout_proportion", 0.0}}})
    EXPECT_EQ(
        inDerivBothWays(trialOf("GeneralDropoutComponent", attrs, x), x, dy)
            .values,
        dy.values);
}

TEST(SpecAugmentTimeMaskBackwardTest, KeepsItsMask) {
  const Matrix x = randomMatrix(12, 3, 86);
  BackpropTrial trial = trialOf(
      "SpecAugmentTimeMaskComponent",
      {{"dim", 3}, {"zeroed_proportion", 0.5}, {"time_mask_max_frames", 2}}, x);
  trial.precomputed = {
      {"rows", std::vector<int64_t>{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}},
      {"lengths", std::vector<int64_t>{6, 6}}};
  trial.seed = 1;
  const int32_t zeros = numZeros(expectDifferences(trial, x));
  EXPECT_GT(zeros, 0);
  EXPECT_LT(zeros, 36);
  trial.attrs.push_back({"test_mode", true});
  EXPECT_EQ(numZeros(expectDifferences(trial, x)), 0);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
