//===- BatchNormBackwardTest.cpp - Batch norm's derivatives and statistics ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ComponentState.h"
#include "test/support/AttributeRecorder.h"
#include "test/support/BackpropTrial.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

using Vector = std::vector<double>;

BackpropTrial trialOf(int32_t rows, int32_t blockDim, int32_t blocks,
                      bool testMode = false) {
  BackpropTrial trial;
  trial.type = "BatchNormComponent";
  trial.attrs = {{"dim", blockDim * blocks},
                 {"block_dim", blockDim},
                 {"epsilon", 0.05},
                 {"target_rms", 0.7},
                 {"test_mode", testMode}};
  trial.outRows = rows;
  trial.outCols = blockDim * blocks;
  return trial;
}

void addStatistics(BackpropTrial &trial, double count,
                   const std::vector<float> &mean,
                   const std::vector<float> &variance) {
  trial.attrs.emplace_back("count", count);
  trial.attrs.emplace_back("stats_mean", vectorTensor(mean));
  trial.attrs.emplace_back("stats_var", vectorTensor(variance));
}

void expectMatchesDifferences(const BackpropTrial &trial) {
  const Matrix x = randomMatrix(trial.outRows, trial.outCols, 1);
  const Matrix dy = randomMatrix(trial.outRows, trial.outCols, 2);
  const Matrix expected = numericInDeriv(trial, x, dy);
  expectNear(backprop(trial, x, dy).inDeriv,
             {expected.values.begin(), expected.values.end()}, 1e-3);
}

TEST(BatchNormBackwardTest, MatchesDifferences) {
  for (int32_t rows : {2, 7})
    for (int32_t blockDim : {1, 3, 17})
      for (int32_t blocks : {1, 2})
        expectMatchesDifferences(trialOf(rows, blockDim, blocks));
}

TEST(BatchNormBackwardTest, TestModeMatchesDifferences) {
  for (int32_t blocks : {1, 3}) {
    BackpropTrial trial = trialOf(4, 2, blocks, /*testMode=*/true);
    expectMatchesDifferences(trial);
    addStatistics(trial, 10, {1, -2}, {0.5, 4});
    expectMatchesDifferences(trial);
  }
}

TEST(BatchNormBackwardTest, InPlaceIsTheSame) {
  for (bool testMode : {false, true}) {
    BackpropTrial trial = trialOf(5, 3, 2, testMode);
    addStatistics(trial, 10, {1, -2, 0}, {0.5, 4, 1});
    const Matrix x = randomMatrix(5, 6, 3), dy = randomMatrix(5, 6, 4);
    trial.initialDeriv = 7; // is replaced, not added to
    const BackpropResult plain = backprop(trial, x, dy);
    trial.inPlaceForward = trial.inPlaceBackward = true;
    const BackpropResult inPlace = backprop(trial, x, dy);
    EXPECT_EQ(inPlace.output.values, plain.output.values);
    EXPECT_EQ(inPlace.inDeriv.values, plain.inDeriv.values);
  }
}

/// Mean and variance of each of \p blockDim columns over rows and blocks.
struct Moments {
  Moments(const Matrix &x, int32_t blockDim)
      : mean(blockDim), variance(blockDim),
        count(double(x.values.size()) / blockDim) {
    for (size_t i = 0; i < x.values.size(); ++i)
      mean[i % blockDim] += x.values[i] / count;
    for (size_t i = 0; i < x.values.size(); ++i) {
      const double centred = x.values[i] - mean[i % blockDim];
      variance[i % blockDim] += centred * centred / count;
    }
  }
  Vector mean, variance;
  double count;
};

void expectEqual(const Vector &actual, const Vector &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], 1e-6) << "element " << i;
}

TEST(BatchNormBackwardTest, StoresMoments) {
  for (bool inPlace : {false, true})
    for (int32_t blocks : {1, 3}) {
      const Matrix x = randomMatrix(6, 2 * blocks, 5);
      BackpropTrial trial = trialOf(6, 2, blocks);
      trial.storeStats = true;
      trial.inPlaceForward = inPlace;
      auto values = AttributeRecorder(*backprop(trial, x, x).model).values;
      const Moments expected(x, 2);
      expectEqual(values["stats_mean"], expected.mean);
      expectEqual(values["stats_var"], expected.variance);
      expectEqual(values["count"], {expected.count});
    }
}

TEST(BatchNormBackwardTest, AddsToTheAttributesStatistics) {
  const Matrix first = randomMatrix(4, 2, 6), second = randomMatrix(6, 2, 7);
  Matrix both(10, 2);
  std::copy(first.values.begin(), first.values.end(), both.values.begin());
  std::copy(second.values.begin(), second.values.end(),
            both.values.begin() + 8);
  const Moments before(first, 2), after(both, 2);
  BackpropTrial trial = trialOf(6, 2, 1);
  addStatistics(trial, 4, {before.mean.begin(), before.mean.end()},
                {before.variance.begin(), before.variance.end()});
  auto exported = [&] {
    return AttributeRecorder(*backprop(trial, second, second).model).values;
  };
  expectEqual(exported()["stats_var"], before.variance);
  trial.storeStats = true;
  expectEqual(exported()["stats_mean"], after.mean);
  expectEqual(exported()["stats_var"], after.variance);
  expectEqual(exported()["count"], {10});
}

TEST(BatchNormBackwardTest, ZeroStatisticsHaveTheirDims) {
  const Matrix x = randomMatrix(2, 2, 8);
  auto values = AttributeRecorder(*backprop(trialOf(2, 2, 1), x, x).model);
  EXPECT_EQ(values.values["stats_mean"], Vector({0, 0}));
  EXPECT_EQ(values.values["stats_var"], Vector({0, 0}));
}

/// In test mode nothing is trained, so nothing is written.
TEST(BatchNormBackwardTest, TestModeExportsNothing) {
  const Matrix x = randomMatrix(2, 2, 8);
  const auto result = backprop(trialOf(2, 2, 1, /*testMode=*/true), x, x);
  EXPECT_TRUE(AttributeRecorder(*result.model).values.empty());
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
