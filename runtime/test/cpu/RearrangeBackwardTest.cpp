//===- RearrangeBackwardTest.cpp - Sums, products, moves of columns -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/BackpropTrial.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// Expects the derivative that differences give; \p adds to what was there.
void expectDifferences(BackpropTrial trial, const Matrix &x, bool adds) {
  const Matrix dy = randomMatrix(trial.outRows, trial.outCols, 70);
  const Matrix slope = numericInDeriv(trial, x, dy);
  trial.initialDeriv = 7;
  std::vector<double> expected;
  for (float value : slope.values)
    expected.push_back(value + (adds ? 7 : 0));
  expectNear(backprop(trial, x, dy).inDeriv, expected, 1e-4);
  trial.wantsInputDeriv = false;
  backprop(trial, x, dy);
}

TEST(RearrangeBackwardTest, ElementwiseProduct) {
  for (int32_t dim : {1, 17}) {
    for (int32_t blocks : {2, 3, 5}) {
      Matrix x = randomMatrix(4, dim * blocks, 71);
      x.at(0, 0) = 0; // the others' product matters all the same
      x.at(1, 0) = x.at(1, dim) = 0;
      BackpropTrial trial =
          trialOf("ElementwiseProductComponent",
                  {{"input_dim", dim * blocks}, {"output_dim", dim}}, x);
      trial.outCols = dim;
      expectDifferences(trial, x, /*adds=*/false);
    }
  }
}

TEST(RearrangeBackwardTest, SumBlock) {
  const Matrix x = randomMatrix(4, 12, 72);
  for (int32_t dim : {1, 4, 12}) {
    BackpropTrial trial =
        trialOf("SumBlockComponent",
                {{"input_dim", 12}, {"output_dim", dim}, {"scale", 0.3}}, x);
    trial.outCols = dim;
    expectDifferences(trial, x, /*adds=*/true);
  }
}

TEST(RearrangeBackwardTest, SumGroup) {
  const Matrix x = randomMatrix(4, 9, 73);
  BackpropTrial trial = trialOf("SumGroupComponent",
                                {{"sizes", std::vector<int64_t>{1, 5, 3}}}, x);
  trial.outCols = 3;
  expectDifferences(trial, x, /*adds=*/false);
}

TEST(RearrangeBackwardTest, Permute) {
  const Matrix x = randomMatrix(4, 5, 74);
  expectDifferences(
      trialOf("PermuteComponent",
              {{"column_map", std::vector<int64_t>{2, 0, 4, 1, 3}}}, x),
      x, /*adds=*/false);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
