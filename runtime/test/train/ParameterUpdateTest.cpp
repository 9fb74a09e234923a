//===- ParameterUpdateTest.cpp - The step from delta to the model ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "train/ParameterUpdate.h"
#include "TrainingNetwork.h"
#include "core/ComponentState.h"
#include "core/ThreadPool.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

using Values = std::vector<float>;

/// Two updatable components, the first with limits of its own, and one with
/// statistics alone.
struct UpdateTest : testing::Test {
  UpdateTest()
      : program(componentsOnly({affineLayer("limited", 7, 5, 1,
                                            {{"learning_rate", 0.25},
                                             {"max_change", 0.5},
                                             {"l2_regularize", 0.01}}),
                                linearLayer("free", randomMatrix(4, 5, 2)),
                                simpleLayer("norm", "BatchNormComponent", 4)})),
        model(std::move(*Model::create(program))),
        delta(std::move(*Model::create(program))) {
    delta->setZero();
    randomizeParameters(*delta, 0, 3, 0.1f);
    randomizeParameters(*delta, 1, 4, 0.1f);
  }

  double norm(int32_t index) const {
    double sum = 0;
    for (float value : parametersOf(*delta, index))
      sum += double(value) * value;
    return std::sqrt(sum);
  }

  /// Expects that component \p index is now \p before + \p factor delta.
  void expectAdded(int32_t index, const Values &before, double factor) const {
    const Values after = parametersOf(*model, index);
    const Values added = parametersOf(*delta, index);
    for (size_t i = 0; i < after.size(); ++i)
      EXPECT_NEAR(after[i], before[i] + factor * added[i], 1e-6);
  }

  std::shared_ptr<const Program> program;
  std::unique_ptr<Model> model, delta;
  MaxChangeCounts counts;
};

TEST_F(UpdateTest, L2) {
  const Values before = parametersOf(*delta, 0);
  const Values untouched = parametersOf(*delta, 1);
  const Values weights = parametersOf(*model, 0);
  EXPECT_TRUE(usesL2(*delta));
  addL2(*model, 8.0, *delta);
  const Values after = parametersOf(*delta, 0);
  for (size_t i = 0; i < after.size(); ++i)
    EXPECT_NEAR(after[i], before[i] - 2.0 * 8.0 * 0.25 * 0.01 * weights[i],
                1e-7);
  EXPECT_EQ(parametersOf(*delta, 1), untouched);
}

TEST_F(UpdateTest, L2NeedsALearningRate) {
  delta->setUnderlyingLearningRate(0);
  EXPECT_FALSE(usesL2(*delta));
  const Values before = parametersOf(*delta, 0);
  addL2(*model, 8.0, *delta);
  EXPECT_EQ(parametersOf(*delta, 0), before);
}

TEST_F(UpdateTest, WithoutLimits) {
  delta->scale(0.1f); // below its own
  const Values first = parametersOf(*model, 0),
               second = parametersOf(*model, 1);
  ASSERT_TRUE(addWithMaxChange(*delta, 0, 1, 0.9, *model, counts));
  expectAdded(0, first, 0.9);
  expectAdded(1, second, 0.9);
  EXPECT_EQ(counts.components, (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(counts.global, 0);
  EXPECT_EQ(counts.updates, 1);
}

TEST_F(UpdateTest, ComponentLimit) {
  delta->scale(20);
  const Values first = parametersOf(*model, 0),
               second = parametersOf(*model, 1);
  ASSERT_TRUE(addWithMaxChange(*delta, 0, 1.25, -0.9, *model, counts));
  expectAdded(0, first, -0.5 * 1.25 / norm(0));
  expectAdded(1, second, -0.9);
  EXPECT_EQ(counts.components, (std::vector<int64_t>{1, 0, 0}));
  EXPECT_EQ(counts.global, 0);
}

TEST_F(UpdateTest, GlobalLimit) {
  delta->scale(20);
  const Values first = parametersOf(*model, 0),
               second = parametersOf(*model, 1);
  ASSERT_TRUE(addWithMaxChange(*delta, 2, 1.25, 0.9, *model, counts));
  // The first component is reduced to its own limit.
  const double remaining = std::hypot(0.5 * 1.25, 0.9 * norm(1));
  ASSERT_GT(remaining, 2 * 1.25);
  const double shrink = 2 * 1.25 / remaining;
  expectAdded(0, first, shrink * 0.5 * 1.25 / norm(0));
  expectAdded(1, second, shrink * 0.9);
  EXPECT_EQ(counts.components, (std::vector<int64_t>{1, 0, 0}));
  EXPECT_EQ(counts.global, 1);
  ASSERT_TRUE(addWithMaxChange(*delta, 2, 1.25, 0.9, *model, counts));
  EXPECT_EQ(counts.components, (std::vector<int64_t>{2, 0, 0}));
  EXPECT_EQ(counts.global, 2);
  EXPECT_EQ(counts.updates, 2);
}

TEST_F(UpdateTest, StatisticsAreAdded) {
  delta->state(2).statistics[0][0] = 3;
  model->state(2).statistics[0][0] = 1;
  ASSERT_TRUE(addWithMaxChange(*delta, 0, 1, 0.5, *model, counts));
  EXPECT_EQ(model->state(2).statistics[0][0], 2.5);
}

TEST_F(UpdateTest, NotFinite) {
  const float bad[] = {std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()};
  for (float value : bad)
    for (int32_t component : {0, 1})
      for (double limit : {0.0, 2.0}) {
        randomizeParameters(*delta, 0, 3, 0.1f);
        randomizeParameters(*delta, 1, 4, 0.1f);
        delta->state(component).parameters[0].data[1] = value;
        const Values first = parametersOf(*model, 0);
        const Values second = parametersOf(*model, 1);
        EXPECT_FALSE(addWithMaxChange(*delta, limit, 1, 0.9, *model, counts));
        EXPECT_EQ(parametersOf(*model, 0), first);
        EXPECT_EQ(parametersOf(*model, 1), second);
      }
  EXPECT_EQ(counts.updates, 0);
}

TEST_F(UpdateTest, BatchNormStatistics) {
  for (std::vector<double> &statistic : model->state(2).statistics)
    for (double &value : statistic)
      value = 5;
  const Values first = parametersOf(*model, 0);
  scaleBatchNormStatistics(0.75, *model);
  ASSERT_FALSE(model->state(2).statistics.empty());
  for (const std::vector<double> &statistic : model->state(2).statistics)
    for (double value : statistic)
      EXPECT_EQ(value, 3.75);
  EXPECT_EQ(parametersOf(*model, 0), first);
}

TEST_F(UpdateTest, LearningRates) {
  const auto other = componentsOnly({affineLayer(
      "a", 3, 2, 1, {{"learning_rate", 0.25}, {"learning_rate_factor", 0.5}})});
  auto rates = std::move(*Model::create(other));
  EXPECT_EQ(rates->state(0).learningRate, 0.25f);
  rates->setUnderlyingLearningRate(3);
  EXPECT_EQ(rates->state(0).learningRate, 1.5f);
  rates->setAsGradient();
  rates->setUnderlyingLearningRate(3);
  EXPECT_EQ(rates->state(0).learningRate, 1.0f);
}

/// Threads share parameters of more than one piece.
TEST(ParameterUpdateTest, ThreadsChangeNoNumber) {
  auto threads = ThreadPool::create(3);
  ASSERT_TRUE(threads);
  const auto program = componentsOnly(
      {affineLayer("large", 600, 400, 1,
                   {{"learning_rate", 0.25}, {"l2_regularize", 0.01}})});
  std::vector<Values> results;
  for (ThreadPool *pool : {static_cast<ThreadPool *>(nullptr), &*threads}) {
    auto model = std::move(*Model::create(program)),
         delta = std::move(*Model::create(program));
    randomizeParameters(*delta, 0, 3, 0.1f);
    MaxChangeCounts counts;
    addL2(*model, 8.0, *delta, pool);
    ASSERT_TRUE(addWithMaxChange(*delta, 0.5, 1, 0.9, *model, counts, pool));
    EXPECT_EQ(counts.global, 1);
    EXPECT_NEAR(counts.latestChanges[0], 0.5, 1e-6);
    results.push_back(parametersOf(*model, 0));
    delta->scale(0.5, pool);
    results.push_back(parametersOf(*delta, 0));
    delta->scale(0, pool);
    EXPECT_EQ(parametersOf(*delta, 0), Values(600 * 400 + 400));
  }
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(results[1], results[3]);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
