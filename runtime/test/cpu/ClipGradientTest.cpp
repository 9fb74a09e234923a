//===- ClipGradientTest.cpp - Clipped derivatives, self-repair ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Golden numbers are rows of the reference's results.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentState.h"
#include "test/support/BackpropTrial.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

const std::vector<float> kClipOutDeriv = {
    -1.84328926f,  1.07583869f,  -0.46910575f,  0.644701481f,  0.114184238f,
    -0.441866219f, -1.59897292f, 1.20105839f,   -1.53406203f,  1.0513624f,
    0.946114719f,  0.940003514f, 0.0390978716f, -0.465592295f, 0.188546315f,
    0.143968195f,  0.315562844f, 0.214795694f,
};
const std::vector<float> kClipInDeriv = {
    -1.18993416f,  0.694506952f, -0.302830907f, 0.416186615f,  0.0737115594f,
    -0.285246446f, -0.78917595f, 0.592784521f,  -0.757139065f, 0.518901795f,
    0.466956616f,  0.46394042f,  0.0390978716f, -0.465592295f, 0.188546315f,
    0.143968195f,  0.315562844f, 0.214795694f,
};

TEST(ClipGradientTest, ClipsRowsAsGolden) {
  const Matrix dy = matrixOf(3, kClipOutDeriv);
  const BackpropTrial trial =
      trialOf("ClipGradientComponent",
              {{"dim", 6},
               {"clipping_threshold", 1.5},
               {"norm_based_clipping", true},
               {"num_elements_clipped", 10},
               {"num_elements_processed", 20},
               {"num_self_repaired", 30},
               {"num_backpropped", 40},
               {"self_repair_clipped_proportion_threshold", 1.0}},
              dy);
  expectNear(inDerivBothWays(trial, dy, dy),
             {kClipInDeriv.begin(), kClipInDeriv.end()}, 1e-6);
  EXPECT_EQ(exportedNumbers(*backprop(trial, dy, dy).model),
            "num_elements_clipped=12 num_elements_processed=23 "
            "num_self_repaired=30 num_backpropped=41 ");
}

TEST(ClipGradientTest, ClipsElements) {
  const Matrix dy = randomMatrix(4, 17, 63);
  const BackpropTrial trial = trialOf(
      "ClipGradientComponent", {{"dim", 17}, {"clipping_threshold", 0.75}}, dy);
  std::vector<double> expected;
  for (float value : dy.values)
    expected.push_back(std::max(-0.75, std::min(0.75, double(value))));
  expectNear(inDerivBothWays(trial, dy, dy), expected, 0);
  EXPECT_EQ(exportedNumbers(*backprop(trial, dy, dy).model),
            "num_elements_clipped=0 num_elements_processed=0 "
            "num_self_repaired=0 num_backpropped=1 ");
}

TEST(ClipGradientTest, ThresholdOfZeroZeroes) {
  const Matrix dy = randomMatrix(4, 17, 64);
  const BackpropTrial trial = trialOf(
      "ClipGradientComponent", {{"dim", 17}, {"clipping_threshold", 0.0}}, dy);
  EXPECT_EQ(inDerivBothWays(trial, dy, dy).values, Matrix(4, 17).values);
}

double normOf(const Matrix &matrix, int32_t row) {
  double sum = 0;
  for (int32_t c = 0; c < matrix.cols; ++c)
    sum += double(matrix.at(row, c)) * matrix.at(row, c);
  return std::sqrt(sum);
}

double statistic(const BackpropResult &result, size_t index) {
  return result.model->state(0).number(index);
}

/// Applies self-repair to \p clipped by the formula of the specification.
std::vector<double> repaired(const Matrix &x, const Matrix &clipped,
                             double target, double scale, double proportion) {
  Matrix excess = x;
  for (float &value : excess.values)
    value = static_cast<float>(std::max(std::fabs(value) - target, 0.0) *
                               (value > 0 ? 1 : -1));
  double before = 0, excessNorms = 0, after = 0;
  for (int32_t r = 0; r < x.rows; ++r) {
    before += normOf(clipped, r);
    excessNorms += normOf(excess, r);
  }
  const double magnitude = scale * proportion * before / x.rows;
  Matrix moved = clipped;
  for (size_t i = 0; i < moved.values.size(); ++i)
    moved.values[i] -= static_cast<float>(magnitude / (excessNorms / x.rows) /
                                          0.5 * excess.values[i]);
  for (int32_t r = 0; r < x.rows; ++r)
    after += normOf(moved, r);
  std::vector<double> result;
  for (float value : moved.values)
    result.push_back(value * before / after);
  return result;
}

TEST(ClipGradientTest, RepairsHalfOfTheTime) {
  const Matrix x = randomMatrix(6, 17, 65), dy = randomMatrix(6, 17, 66);
  BackpropTrial trial =
      trialOf("ClipGradientComponent",
              {{"dim", 17},
               {"clipping_threshold", 5.0},
               {"norm_based_clipping", true},
               {"self_repair_clipped_proportion_threshold", 0.2},
               {"self_repair_target", 0.5},
               {"self_repair_scale", 0.8}},
              x);
  const Matrix clipped = inDerivBothWays(trial, x, dy);
  int numRepaired = 0;
  trial.attrs.push_back({"num_elements_clipped", 44});
  trial.attrs.push_back({"num_elements_processed", 100});
  for (trial.seed = 0; trial.seed < 40; ++trial.seed) {
    const BackpropResult result = backprop(trial, x, dy);
    const double proportion = statistic(result, 0) / statistic(result, 1);
    ASSERT_GT(proportion, 0.4);
    if (statistic(result, 2) == 0) {
      EXPECT_EQ(result.inDeriv.values, clipped.values);
      continue;
    }
    ++numRepaired;
    expectNear(result.inDeriv, repaired(x, clipped, 0.5, 0.8, proportion),
               1e-5);
  }
  EXPECT_GT(numRepaired, 10);
  EXPECT_LT(numRepaired, 30);
}

TEST(ClipGradientTest, RepairsAboveTheThresholdOnly) {
  const Matrix x = randomMatrix(6, 17, 67), dy = randomMatrix(6, 17, 68);
  for (auto [threshold, scale] : {std::pair(0.95, 1.0), {0.1, 0.0}}) {
    BackpropTrial trial =
        trialOf("ClipGradientComponent",
                {{"dim", 17},
                 {"clipping_threshold", 100.0},
                 {"norm_based_clipping", true},
                 {"self_repair_clipped_proportion_threshold", threshold},
                 {"self_repair_scale", scale},
                 {"num_elements_clipped", 90},
                 {"num_elements_processed", 100}},
                x);
    for (trial.seed = 0; trial.seed < 10; ++trial.seed)
      EXPECT_EQ(backprop(trial, x, dy).inDeriv.values, dy.values);
  }
}

TEST(ClipGradientTest, ChecksItsAttributes) {
  ProgramWriter writer;
  writer.component("c", "ClipGradientComponent",
                   {{"dim", 3}, {"clipping_threshold", -1.0}});
  EXPECT_NE(
      loadError(writer).find("expects clipping_threshold that is not negative"),
      std::string::npos);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
