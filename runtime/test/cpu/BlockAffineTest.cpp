//===- BlockAffineTest.cpp - Affine maps of blocks ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ComponentState.h"
#include "test/support/NumericDerivatives.h"
#include "train/NaturalGradient.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

constexpr int32_t kRows = 5, kBlocks = 3, kIn = 4, kOut = 2;

/// Three blocks, each from four columns to two.
BackpropTrial blockTrial(const std::string &type) {
  const bool isRepeated = type != "BlockAffineComponent";
  const int32_t rows = isRepeated ? kOut : kOut * kBlocks;
  BackpropTrial trial;
  trial.type = type;
  trial.attrs = {
      {"input_dim", kIn * kBlocks},
      {"output_dim", kOut * kBlocks},
      {isRepeated ? "num_repeats" : "num_blocks", kBlocks},
      {"linear_params", tensor(randomMatrix(rows, kIn, 1))},
      {"bias_params", vectorTensor(randomMatrix(1, rows, 2).values)}};
  trial.outRows = kRows;
  trial.outCols = kOut * kBlocks;
  return trial;
}

TEST(BlockAffineTest, MapsEachBlock) {
  const Matrix x = randomMatrix(kRows, kIn * kBlocks, 3);
  for (const char *type : {"BlockAffineComponent", "RepeatedAffineComponent"}) {
    const bool isRepeated = type[0] == 'R';
    const int32_t rows = isRepeated ? kOut : kOut * kBlocks;
    const Matrix w = randomMatrix(rows, kIn, 1), b = randomMatrix(1, rows, 2);
    std::vector<double> expected;
    for (int32_t r = 0; r < kRows; ++r)
      for (int32_t o = 0; o < kOut * kBlocks; ++o) {
        double y = b.at(0, o % rows);
        for (int32_t i = 0; i < kIn; ++i)
          y += double(w.at(o % rows, i)) * x.at(r, o / kOut * kIn + i);
        expected.push_back(y);
      }
    expectNear(outputOf(blockTrial(type), x), expected);
  }
}

TEST(BlockAffineTest, Derivatives) {
  const Matrix x = randomMatrix(kRows, kIn * kBlocks, 4);
  for (const char *type : {"BlockAffineComponent", "RepeatedAffineComponent",
                           "NaturalGradientRepeatedAffineComponent"})
    expectNumericDerivatives(blockTrial(type), x);
}

/// The rows [dW db] of the gradient of the one map.
Matrix gradientRows(const BackpropResult &result) {
  const Matrix w = parameterOf(*result.gradient, 0),
               b = parameterOf(*result.gradient, 1);
  Matrix rows(kOut, kIn + 1);
  for (int32_t r = 0; r < kOut; ++r) {
    for (int32_t c = 0; c < kIn; ++c)
      rows.at(r, c) = w.at(r, c);
    rows.at(r, kIn) = b.at(0, r);
  }
  return rows;
}

TEST(BlockAffineTest, NaturalGradientPreconditionsTheGradient) {
  const Matrix x = randomMatrix(kRows, kIn * kBlocks, 5),
               dy = randomMatrix(kRows, kOut * kBlocks, 6);
  const BackpropTrial trial =
      blockTrial("NaturalGradientRepeatedAffineComponent");
  Matrix expected = gradientRows(backprop(trial, x, dy));
  const BackpropResult result = backprop(updating(trial, 0.5f), x, dy);
  const NaturalGradientOptions &options =
      result.model->component(0).preconditioners().at(0);
  EXPECT_EQ(options.rank, 2); // half of the columns of a block
  EXPECT_EQ(options.updatePeriod, 4);
  const double scale = NaturalGradient(options).precondition(
      MatrixView(expected.values.data(), kOut, kIn + 1, kIn + 1));
  std::vector<double> updated;
  for (float value : expected.values)
    updated.push_back(0.5 * scale * value);
  expectNear(gradientRows(result), updated);
}

TEST(BlockAffineTest, CountsThatDoNotDivideAreRefused) {
  BackpropTrial trial = blockTrial("RepeatedAffineComponent");
  trial.attrs[2] = {"num_repeats", 5};
  ProgramWriter writer;
  writer.component("c", trial.type, trial.attrs);
  EXPECT_EQ(loadError(writer),
            "component 'c' of type RepeatedAffineComponent expects num_repeats "
            "to divide input_dim, but got 5 and 12");
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
