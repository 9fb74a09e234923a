//===- LstmBackwardTest.cpp - The LSTM nonlinearity's backward pass -------===//
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

using Vector = std::vector<double>;

/// The loops take 16 rows and 256 columns at a time.
BackpropTrial trialOf(int32_t rows, int32_t cellDim, bool useDropout = false) {
  BackpropTrial trial;
  trial.type = "LstmNonlinearityComponent";
  trial.attrs = {{"cell_dim", cellDim},
                 {"use_dropout", useDropout},
                 {"params", tensor(randomMatrix(3, cellDim, 1))}};
  trial.outRows = rows;
  trial.outCols = 2 * cellDim;
  return trial;
}

/// Thresholds and scales of self-repair, equal for the five nonlinearities.
void setSelfRepair(BackpropTrial &trial, float threshold, float scale) {
  std::vector<float> config(10, threshold);
  std::fill(config.begin() + 5, config.end(), scale);
  trial.attrs.emplace_back("self_repair_config", vectorTensor(config));
}

Vector toVector(const Matrix &matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

const Vector &statistic(const BackpropResult &result, size_t which) {
  return result.gradient->state(0).statistics[which];
}

void expectEqual(const Vector &actual, const Vector &expected,
                 double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance) << "element " << i;
}

TEST(LstmBackwardTest, MatchesDifferences) {
  for (int32_t cellDim : {1, 3, 17})
    for (bool useDropout : {false, true}) {
      BackpropTrial trial = trialOf(3, cellDim, useDropout);
      setSelfRepair(trial, 0, 0);
      trial.initialDeriv = 7; // is replaced, not added to
      const int32_t cols = 5 * cellDim + (useDropout ? 3 : 0);
      const Matrix x = randomMatrix(3, cols, 2);
      const Matrix dy = randomMatrix(3, 2 * cellDim, 3);
      Matrix expected = numericInDeriv(trial, x, dy);
      for (int32_t r = 0; r < 3; ++r) // not derived by
        for (int32_t c = 5 * cellDim; c < cols; ++c)
          expected.at(r, c) = 0;
      const BackpropResult result = backprop(trial, x, dy);
      expectNear(result.inDeriv, toVector(expected), 2e-3);
      expectNear(parameterOf(*result.gradient, 0),
                 toVector(numericGradient(trial, 0, x, dy)), 2e-3);
    }
}

TEST(LstmBackwardTest, ManyColumnsAreIndependent) {
  constexpr int32_t kRows = 40, kDim = 300;
  const BackpropTrial trial = trialOf(kRows, kDim);
  const Matrix x = randomMatrix(kRows, 5 * kDim, 4);
  const Matrix dy = randomMatrix(kRows, 2 * kDim, 5);
  const BackpropResult all = backprop(trial, x, dy);
  const Matrix params = randomMatrix(3, kDim, 1);
  for (int32_t column : {0, 255, 256, 299}) {
    BackpropTrial one = trialOf(kRows, 1);
    Matrix oneX(kRows, 5), oneDy(kRows, 2), oneParams(3, 1);
    for (int32_t k = 0; k < 5; ++k)
      for (int32_t r = 0; r < kRows; ++r)
        oneX.at(r, k) = x.at(r, k * kDim + column);
    for (int32_t k = 0; k < 2; ++k)
      for (int32_t r = 0; r < kRows; ++r)
        oneDy.at(r, k) = dy.at(r, k * kDim + column);
    for (int32_t k = 0; k < 3; ++k)
      oneParams.at(k, 0) = params.at(k, column);
    one.attrs.back() = {"params", tensor(oneParams)};
    const BackpropResult result = backprop(one, oneX, oneDy);
    for (int32_t k = 0; k < 5; ++k) {
      const size_t at = size_t(k) * kDim + column;
      for (int32_t r : {0, 15, 16, 39})
        EXPECT_NEAR(result.inDeriv.at(r, k), all.inDeriv.at(r, at), 1e-6);
      for (size_t which : {0, 1})
        EXPECT_NEAR(statistic(result, which)[k], statistic(all, which)[at],
                    1e-5);
    }
    for (int32_t k = 0; k < 3; ++k)
      EXPECT_NEAR(parameterOf(*result.gradient, 0).at(k, 0),
                  parameterOf(*all.gradient, 0).at(k, column), 1e-5);
  }
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// The values of i, f, tanh(c_part), o and tanh(c) of one cell.
Vector gateValues(const Matrix &x, const Matrix &w, int32_t row, int32_t col) {
  const int32_t dim = w.cols;
  const double prev = x.at(row, 4 * dim + col);
  const double i = sigmoid(x.at(row, col) + w.at(0, col) * prev);
  const double f = sigmoid(x.at(row, dim + col) + w.at(1, col) * prev);
  const double g = std::tanh(x.at(row, 2 * dim + col));
  const double c = f * prev + i * g;
  const double o = sigmoid(x.at(row, 3 * dim + col) + w.at(2, col) * c);
  return {i, f, g, o, std::tanh(c)};
}

bool isTanh(int32_t gate) { return gate == 2 || gate == 4; }

TEST(LstmBackwardTest, StoresSumsAndExportsAverages) {
  const Matrix x = randomMatrix(4, 15, 6), dy = randomMatrix(4, 6, 7);
  const Matrix w = randomMatrix(3, 3, 1);
  const BackpropResult result = backprop(trialOf(4, 3), x, dy);
  Vector values(15), derivs(15);
  for (int32_t r = 0; r < 4; ++r)
    for (int32_t c = 0; c < 3; ++c)
      for (int32_t k = 0; k < 5; ++k) {
        const double y = gateValues(x, w, r, c)[k];
        values[k * 3 + c] += y / 4;
        derivs[k * 3 + c] += (isTanh(k) ? 1 - y * y : y * (1 - y)) / 4;
      }
  auto exported = AttributeRecorder(*result.gradient).values;
  expectEqual(exported["value_avg"], values, 1e-6);
  expectEqual(exported["deriv_avg"], derivs, 1e-6);
  EXPECT_EQ(exported["count"], Vector({4}));
  EXPECT_EQ(exported["self_repair_prob"], Vector(5, 1.0))
      << "without statistics all averages are below the thresholds";
  auto own = AttributeRecorder(*result.model).values;
  EXPECT_EQ(own["count"], Vector({0})) << "belongs to what is updated";
  EXPECT_EQ(own["value_avg"], Vector(15));
}

TEST(LstmBackwardTest, ExportsWhatItRead) {
  BackpropTrial trial = trialOf(1, 2);
  const Matrix averages = randomMatrix(5, 2, 8);
  trial.attrs.emplace_back("value_avg", tensor(averages));
  trial.attrs.emplace_back("deriv_avg", tensor(averages));
  trial.attrs.emplace_back("self_repair_prob",
                           vectorTensor({0, 0.25, 0.5, 0.75, 1}));
  trial.attrs.emplace_back("count", 16.0);
  const auto result = backprop(trial, randomMatrix(1, 10, 9), Matrix(1, 4));
  auto exported =
      AttributeRecorder(*std::move(*Model::create(result.program))).values;
  EXPECT_EQ(exported["value_avg"], toVector(averages));
  EXPECT_EQ(exported["deriv_avg"], toVector(averages));
  EXPECT_EQ(exported["self_repair_prob"], Vector({0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(exported["count"], Vector({16}));
}

/// With zero derivatives from above all that arrives is self-repair's: here at
/// one nonlinearity of one cell, where the average is low.
TEST(LstmBackwardTest, RepairsWhereAveragesAreLow) {
  const Matrix x = randomMatrix(2, 10, 10), w = randomMatrix(3, 2, 1);
  for (int32_t gate = 0; gate < 5; ++gate) {
    BackpropTrial trial = trialOf(2, 2);
    setSelfRepair(trial, 0.25f, 0.0625f);
    // 9 rows: the sums are compared to thresholds for 10.
    trial.attrs.emplace_back("count", 9.0);
    Matrix averages(5, 2, 0.28f);
    averages.at(gate, 1) = 0.27f;
    trial.attrs.emplace_back("deriv_avg", tensor(averages));
    const BackpropResult result = backprop(trial, x, Matrix(2, 4));
    for (int32_t k = 0; k < 5; ++k)
      EXPECT_EQ(statistic(result, 2)[k], k == gate ? 2 : 0);
    for (int32_t r = 0; r < 2; ++r) {
      const Vector y = gateValues(x, w, r, 1);
      const double amount =
          -0.0625 * (isTanh(gate) ? y[gate] : 2 * y[gate] - 1);
      for (int32_t k = 0; k < 5; ++k)
        EXPECT_EQ(result.inDeriv.at(r, k * 2), 0) << "the other cell";
      if (gate < 4)
        EXPECT_NEAR(result.inDeriv.at(r, gate * 2 + 1), amount, 1e-7);
      else // goes on from c to c_prev by f, and to the rest of c
        EXPECT_NEAR(result.inDeriv.at(r, 2 * 2 + 1),
                    amount * (1 - y[2] * y[2]) * y[0], 1e-7);
    }
  }
}

/// Self-repair does not depend on whether the model is updated, so that updates
/// may be collected.
TEST(LstmBackwardTest, WithoutUpdateTheSameDerivative) {
  BackpropTrial trial = trialOf(3, 4);
  const Matrix x = randomMatrix(3, 20, 11), dy = randomMatrix(3, 8, 12);
  setSelfRepair(trial, 0, 0);
  const Matrix plain = backprop(trial, x, dy).inDeriv;
  trial.attrs.pop_back();
  setSelfRepair(trial, 1, 0.5f);
  const Matrix repaired = backprop(trial, x, dy).inDeriv;
  EXPECT_NE(repaired.values, plain.values);
  trial.hasGradient = false;
  EXPECT_EQ(backprop(trial, x, dy).inDeriv.values, repaired.values);
}

TEST(LstmBackwardTest, WithoutModelTheProgramsStatistics) {
  BackpropTrial trial = trialOf(3, 4);
  const Matrix x = randomMatrix(3, 20, 11), dy = randomMatrix(3, 8, 12);
  setSelfRepair(trial, 0.5f, 0.25f);
  trial.attrs.emplace_back("deriv_avg", tensor(randomMatrix(5, 4, 13, 1)));
  trial.attrs.emplace_back("count", 100.0);
  const Matrix expected = backprop(trial, x, dy).inDeriv;
  trial.hasModel = false;
  EXPECT_EQ(backprop(trial, x, dy).inDeriv.values, expected.values);
}

TEST(LstmBackwardTest, GradientWithoutInputDerivative) {
  BackpropTrial trial = trialOf(3, 4, /*useDropout=*/true);
  const Matrix x = randomMatrix(3, 23, 13), dy = randomMatrix(3, 8, 14);
  const Matrix expected = parameterOf(*backprop(trial, x, dy).gradient, 0);
  trial.wantsInputDeriv = false;
  EXPECT_EQ(parameterOf(*backprop(trial, x, dy).gradient, 0).values,
            expected.values);
}

/// A model gets the learning rate times the natural gradient, which has the
/// norm of the gradient but another direction.
TEST(LstmBackwardTest, UpdatesByNaturalGradient) {
  BackpropTrial trial = trialOf(6, 8);
  const Matrix x = randomMatrix(6, 40, 15), dy = randomMatrix(6, 16, 16);
  const Matrix gradient = parameterOf(*backprop(trial, x, dy).gradient, 0);
  trial.prepare = [](Model &, Model &delta) {
    delta.state(0).isGradient = false;
    delta.state(0).learningRate = 0.5f;
  };
  const Matrix change = parameterOf(*backprop(trial, x, dy).gradient, 0);
  double dot = 0, gradientNorm = 0, changeNorm = 0;
  for (size_t i = 0; i < change.values.size(); ++i) {
    dot += double(change.values[i]) * gradient.values[i];
    gradientNorm += std::pow(gradient.values[i], 2);
    changeNorm += std::pow(change.values[i], 2);
  }
  EXPECT_NEAR(std::sqrt(changeNorm / gradientNorm), 0.5, 1e-4);
  const double cosine = dot / std::sqrt(gradientNorm * changeNorm);
  EXPECT_GT(cosine, 0.1);
  EXPECT_LT(cosine, 0.9999);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
