//===- CompositeTest.cpp - Components of components -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ComponentState.h"
#include "test/support/AttributeRecorder.h"
#include "test/support/BackpropTrial.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

const Matrix &weights() {
  static const Matrix matrix = randomMatrix(3, 4, 1, 1.0f);
  return matrix;
}

/// tanh(x) W^T, then a scale per column.
BackpropTrial composite(int maxRows) {
  BackpropTrial trial;
  trial.type = "CompositeComponent";
  trial.attrs = {{"num_components", 3},
                 {"max_rows_process", maxRows},
                 {"component1.type", std::string("TanhComponent")},
                 {"component1.dim", 4},
                 {"component2.type", std::string("LinearComponent")},
                 {"component2.input_dim", 4},
                 {"component2.output_dim", 3},
                 {"component2.params", tensor(weights())},
                 {"component2.learning_rate_factor", 0.5},
                 {"component3.type", std::string("PerElementScaleComponent")},
                 {"component3.dim", 3},
                 {"component3.scales", vectorTensor({1, -2, 0.5})}};
  trial.outRows = 5;
  trial.outCols = 3;
  return trial;
}

std::vector<double> toDoubles(const Matrix &matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

TEST(CompositeTest, RunsItsParts) {
  const Matrix x = randomMatrix(5, 4, 2);
  const double scales[] = {1, -2, 0.5};
  std::vector<double> expected;
  for (int32_t r = 0; r < 5; ++r)
    for (int32_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (int32_t i = 0; i < 4; ++i)
        sum += std::tanh(double(x.at(r, i))) * weights().at(c, i);
      expected.push_back(scales[c] * sum);
    }
  for (int maxRows : {0, 1, 2, 5, 4096})
    expectNear(backprop(composite(maxRows), x, Matrix(5, 3)).output, expected);
}

TEST(CompositeTest, MatchesDifferences) {
  const Matrix x = randomMatrix(5, 4, 2), dy = randomMatrix(5, 3, 3);
  for (int maxRows : {2, 4096}) {
    const BackpropTrial trial = composite(maxRows);
    const BackpropResult result = backprop(trial, x, dy);
    expectNear(result.inDeriv, toDoubles(numericInDeriv(trial, x, dy)), 2e-3);
    for (int32_t i : {0, 1})
      expectNear(parameterOf(*result.gradient, i),
                 toDoubles(numericGradient(trial, i, x, dy)), 2e-3);
  }
}

TEST(CompositeTest, StatisticsOfPartsGoToTheGradient) {
  const Matrix x = randomMatrix(5, 4, 2);
  const BackpropResult result =
      backprop(composite(4096), x, randomMatrix(5, 3, 3));
  AttributeRecorder of(*result.gradient), model(*result.model);
  EXPECT_EQ(of.values["component1.count"], std::vector<double>{5});
  ASSERT_EQ(of.values["component1.value_avg"].size(), 4u);
  double mean = 0;
  for (int32_t r = 0; r < 5; ++r)
    mean += std::tanh(double(x.at(r, 1))) / 5;
  EXPECT_NEAR(of.values["component1.value_avg"][1], mean, 1e-6);
  EXPECT_EQ(model.values["component1.count"], std::vector<double>{0});
  EXPECT_EQ(of.values["component2.params"].size(), 12u);
  EXPECT_EQ(of.values["component2.is_gradient"], std::vector<double>{1});
}

TEST(CompositeTest, LearningRatesReachTheParts) {
  const BackpropResult result =
      backprop(composite(4096), randomMatrix(5, 4, 2), Matrix(5, 3));
  Model &model = *result.model;
  model.setUnderlyingLearningRate(0.5f);
  EXPECT_EQ(model.state(0).learningRate, 0.5f);
  EXPECT_EQ(model.state(0).partRates, (std::vector<float>{0.5f, 0.25f, 0.5f}));
  AttributeRecorder of(model);
  EXPECT_EQ(of.values["component2.learning_rate"], std::vector<double>{0.25});
}

/// The last part's memo has to be made anew.
TEST(CompositeTest, LastPartMayLeaveAMemo) {
  BackpropTrial trial;
  trial.type = "CompositeComponent";
  trial.attrs = {{"num_components", 2},
                 {"component1.type", std::string("LinearComponent")},
                 {"component1.input_dim", 4},
                 {"component1.output_dim", 3},
                 {"component1.params", tensor(weights())},
                 {"component2.type", std::string("BatchNormComponent")},
                 {"component2.dim", 3}};
  trial.outRows = 5;
  trial.outCols = 3;
  const Matrix x = randomMatrix(5, 4, 2), dy = randomMatrix(5, 3, 3);
  const BackpropResult result = backprop(trial, x, dy);
  expectNear(result.inDeriv, toDoubles(numericInDeriv(trial, x, dy)), 5e-3);
  AttributeRecorder of(*result.gradient);
  EXPECT_EQ(of.values["component2.count"], std::vector<double>{5});
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
