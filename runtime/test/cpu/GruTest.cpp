//===- GruTest.cpp - The GRU nonlinearities -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ComponentState.h"
#include "test/support/AttributeRecorder.h"
#include "test/support/NumericDerivatives.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

constexpr int32_t kRows = 6, kCell = 5;

/// A GRU; if \p recurrent is 0, the variant with an output gate.
BackpropTrial gruTrial(int32_t recurrent) {
  BackpropTrial trial;
  trial.outRows = kRows;
  trial.outCols = 2 * kCell;
  trial.attrs = {{"cell_dim", kCell}, {"self_repair_scale", 0.0}};
  if (recurrent == 0) {
    trial.type = "OutputGruNonlinearityComponent";
    trial.attrs.push_back(
        {"w_h", vectorTensor(randomMatrix(1, kCell, 1).values)});
    return trial;
  }
  trial.type = "GruNonlinearityComponent";
  trial.attrs.push_back({"recurrent_dim", recurrent});
  trial.attrs.push_back(
      {"w_h", tensor(randomMatrix(kCell, recurrent, 1, 0.5f))});
  return trial;
}

Matrix inputOf(int32_t recurrent) {
  const int32_t cols = recurrent == 0       ? 3 * kCell
                       : recurrent == kCell ? 4 * kCell
                                            : 3 * kCell + 2 * recurrent;
  return randomMatrix(kRows, cols, 2, 1.0f);
}

/// Row \p row of h and c, from the definition.
std::vector<double> expectedRow(const Matrix &x, int32_t row,
                                int32_t recurrent) {
  const auto at = [&](int32_t column) { return double(x.at(row, column)); };
  const int32_t hpart = kCell + recurrent, cPrev = hpart + kCell;
  const int32_t sPrev = recurrent == kCell ? cPrev : cPrev + kCell;
  const Matrix w = recurrent == 0 ? randomMatrix(1, kCell, 1)
                                  : randomMatrix(kCell, recurrent, 1, 0.5f);
  std::vector<double> y(2 * kCell);
  for (int32_t i = 0; i < kCell; ++i) {
    double sum = at(hpart + i);
    if (recurrent == 0)
      sum += w.at(0, i) * at(cPrev + i);
    for (int32_t j = 0; j < recurrent; ++j)
      sum += w.at(i, j) * at(kCell + j) * at(sPrev + j);
    y[i] = std::tanh(sum);
    y[kCell + i] = (1 - at(i)) * y[i] + at(i) * at(cPrev + i);
  }
  return y;
}

TEST(GruTest, IsTheDefinition) {
  for (int32_t recurrent : {0, 2, kCell}) {
    const Matrix x = inputOf(recurrent);
    std::vector<double> expected;
    for (int32_t r = 0; r < kRows; ++r)
      for (double value : expectedRow(x, r, recurrent))
        expected.push_back(value);
    expectNear(outputOf(gruTrial(recurrent), x), expected);
  }
}

TEST(GruTest, Derivatives) {
  for (int32_t recurrent : {0, 2, kCell})
    expectNumericDerivatives(gruTrial(recurrent), inputOf(recurrent));
}

// Half of the runs keep statistics, independent of other random draws.
TEST(GruTest, Statistics) {
  for (int32_t recurrent : {0, 2}) {
    BackpropTrial trial = gruTrial(recurrent);
    const Matrix x = inputOf(recurrent), dy = randomMatrix(kRows, 10, 3);
    std::vector<double> values(kCell), derivs(kCell);
    for (int32_t r = 0; r < kRows; ++r) {
      const std::vector<double> y = expectedRow(x, r, recurrent);
      for (int32_t i = 0; i < kCell; ++i) {
        values[i] += y[i] / kRows;
        derivs[i] += (1 - y[i] * y[i]) / kRows;
      }
    }
    int times = 0;
    for (trial.seed = 0; trial.seed < 100; ++trial.seed) {
      const BackpropResult result = backprop(trial, x, dy);
      AttributeRecorder exported(*result.gradient);
      if (exported.values["count"][0] == 0)
        continue;
      ++times;
      EXPECT_EQ(exported.values["count"][0], kRows);
      for (int32_t i = 0; i < kCell; ++i) {
        EXPECT_NEAR(exported.values["value_avg"][i], values[i], 1e-5);
        EXPECT_NEAR(exported.values["deriv_avg"][i], derivs[i], 1e-5);
      }
    }
    EXPECT_NEAR(times, 50, 20);
  }
}

// If the average derivative of tanh is small, self-repair pulls h towards 0.
TEST(GruTest, SelfRepair) {
  for (int32_t recurrent : {0, 2}) {
    BackpropTrial trial = gruTrial(recurrent);
    const Matrix x = inputOf(recurrent), dy = randomMatrix(kRows, 10, 3);
    const int32_t hpart = kCell + recurrent;
    const Matrix plain = backprop(trial, x, dy).inDeriv;
    trial.attrs[1] = {"self_repair_scale", 0.0625};
    trial.attrs.push_back({"self_repair_threshold", 0.85});
    const Matrix y = outputOf(trial, x);
    int times = 0;
    for (trial.seed = 0; trial.seed < 50; ++trial.seed) {
      const BackpropResult result = backprop(trial, x, dy);
      AttributeRecorder exported(*result.gradient);
      const std::vector<double> &derivs = exported.values["deriv_avg"];
      const bool stored = exported.values["count"][0] != 0;
      double numLow = 0;
      for (int32_t i = 0; i < kCell; ++i) {
        const bool isLow = stored && derivs[i] < 0.85;
        numLow += isLow;
        for (int32_t r = 0; r < kRows; ++r)
          EXPECT_NEAR(result.inDeriv.at(r, hpart + i),
                      plain.at(r, hpart + i) - 0.125 * isLow * y.at(r, i),
                      1e-5);
      }
      EXPECT_EQ(exported.values["self_repair_total"][0], numLow);
      times += numLow > 0;
    }
    EXPECT_GT(times, 0);
  }
}

TEST(GruTest, NaturalGradientOptions) {
  const Matrix dy = randomMatrix(kRows, 10, 3);
  const auto options = [&](int32_t recurrent, size_t index) {
    return backprop(gruTrial(recurrent), inputOf(recurrent), dy)
        .model->component(0)
        .preconditioners()
        .at(index);
  };
  EXPECT_EQ(options(2, 0).rank, 20);
  EXPECT_EQ(options(2, 1).rank, 80);
  EXPECT_EQ(options(2, 0).updatePeriod, 4);
  EXPECT_EQ(options(0, 0).rank, 8);
  EXPECT_EQ(options(0, 0).updatePeriod, 10);
}

// Preconditioned updates are the gradient in another metric.
TEST(GruTest, UpdatesGoUphill) {
  for (int32_t recurrent : {0, 2, kCell}) {
    const BackpropTrial trial = gruTrial(recurrent);
    const Matrix x = inputOf(recurrent), dy = randomMatrix(kRows, 10, 3);
    const Matrix gradient = parameterOf(*backprop(trial, x, dy).gradient, 0);
    const Matrix step =
        parameterOf(*backprop(updating(trial, 0.5f), x, dy).gradient, 0);
    double product = 0, difference = 0;
    for (size_t i = 0; i < step.values.size(); ++i) {
      product += double(step.values[i]) * gradient.values[i];
      difference += std::fabs(step.values[i] - 0.5 * gradient.values[i]);
    }
    EXPECT_GT(product, 0);
    EXPECT_GT(difference, 1e-3);
  }
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
