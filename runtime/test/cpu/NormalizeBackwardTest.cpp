//===- NormalizeBackwardTest.cpp - Normalize's derivatives ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/BackpropTrial.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

BackpropTrial trialOf(int32_t rows, int32_t blockDim, int32_t blocks,
                      bool addLogStddev) {
  BackpropTrial trial;
  trial.type = "NormalizeComponent";
  trial.attrs = {{"input_dim", blockDim * blocks},
                 {"block_dim", blockDim},
                 {"target_rms", 0.7},
                 {"add_log_stddev", addLogStddev}};
  trial.outRows = rows;
  trial.outCols = (blockDim + (addLogStddev ? 1 : 0)) * blocks;
  return trial;
}

TEST(NormalizeBackwardTest, MatchesDifferences) {
  for (int32_t blockDim : {2, 3, 17})
    for (int32_t blocks : {1, 2})
      for (bool addLogStddev : {false, true}) {
        BackpropTrial trial = trialOf(4, blockDim, blocks, addLogStddev);
        const Matrix x = randomMatrix(4, blockDim * blocks, 1);
        const Matrix dy = randomMatrix(4, trial.outCols, 2);
        const Matrix numeric = numericInDeriv(trial, x, dy, 2e-3f);
        std::vector<double> expected(numeric.values.begin(),
                                     numeric.values.end());
        expectNear(backprop(trial, x, dy).inDeriv, expected, 5e-3);
        trial.initialDeriv = 0.5; // is added to
        for (double &value : expected)
          value += 0.5;
        expectNear(backprop(trial, x, dy).inDeriv, expected, 5e-3);
      }
}

TEST(NormalizeBackwardTest, InPlaceIsTheSame) {
  for (int32_t blocks : {1, 3}) {
    BackpropTrial trial = trialOf(4, 5, blocks, false);
    const Matrix x = randomMatrix(4, 5 * blocks, 3);
    const Matrix dy = randomMatrix(4, 5 * blocks, 4);
    const Matrix plain = backprop(trial, x, dy).inDeriv;
    trial.inPlaceBackward = true;
    expectNear(backprop(trial, x, dy).inDeriv,
               {plain.values.begin(), plain.values.end()}, 1e-6);
  }
}

/// Below the floor of 2^-66 the scale is the constant 2^33, and the logarithm's
/// derivative is that of the floored power (spec: components.md 6.29).
TEST(NormalizeBackwardTest, AtTheFloor) {
  const BackpropTrial trial = trialOf(2, 2, 1, true);
  Matrix x(2, 2), dy = randomMatrix(2, 3, 5);
  x.values = {0, 0, 3e-11f, -4e-11f};
  std::vector<double> expected;
  for (int32_t r = 0; r < 2; ++r) {
    const double sumsq = std::pow(x.at(r, 0), 2) + std::pow(x.at(r, 1), 2);
    const double floor = std::ldexp(1, -66);
    ASSERT_LT(sumsq / (2 * 0.49), floor);
    for (int32_t c = 0; c < 2; ++c)
      expected.push_back(std::ldexp(1, 33) * dy.at(r, c) +
                         dy.at(r, 2) * x.at(r, c) / std::max(sumsq, 2 * floor));
  }
  expectNear(backprop(trial, x, dy).inDeriv, expected, 1e-6);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
