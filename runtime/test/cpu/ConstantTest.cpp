//===- ConstantTest.cpp - Constants, and masks from nothing ---------------===//
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

const std::vector<float> kValues = {0.5f, -1.0f, 2.0f};

/// Runs a component that may have no input.
Matrix outputFromNothing(const std::string &type, const Attrs &attrs,
                         int32_t rows, int32_t cols, uint64_t seed = 0) {
  ProgramWriter writer;
  const int32_t component = writer.component("c", type, attrs);
  const int32_t matrix = writer.zeroed(rows, cols);
  writer.propagate(component, /*src=*/-1, matrix);
  writer.output("output", matrix);
  InstanceOptions options;
  options.seed = seed;
  return run(writer, {}, options);
}

Attrs constantAttrs(const std::string &type) {
  Attrs attrs = {{"output_dim", 3}, {"output", vectorTensor(kValues)}};
  if (type == "ConstantFunctionComponent")
    attrs.push_back({"input_dim", 2});
  return attrs;
}

TEST(ConstantTest, EveryRowIsTheConstant) {
  EXPECT_EQ(
      outputFromNothing("ConstantComponent", constantAttrs("ConstantComponent"),
                        4, 3)
          .values,
      matrixOf(4, {0.5f, -1, 2, 0.5f, -1, 2, 0.5f, -1, 2, 0.5f, -1, 2}).values);
  BackpropTrial trial;
  trial.type = "ConstantFunctionComponent";
  trial.attrs = constantAttrs(trial.type);
  trial.outRows = 4;
  trial.outCols = 3;
  expectNumericDerivatives(trial, randomMatrix(4, 2, 1));
}

TEST(ConstantTest, NaturalGradientTakesTheRows) {
  const Matrix x = randomMatrix(30, 2, 2), dy = randomMatrix(30, 3, 3);
  for (bool natural : {false, true}) {
    BackpropTrial trial;
    trial.type = "ConstantFunctionComponent";
    trial.attrs = constantAttrs(trial.type);
    trial.attrs.push_back({"use_natural_gradient", natural});
    trial.outRows = 30;
    trial.outCols = 3;
    const BackpropResult result = backprop(updating(trial, 0.5f), x, dy);
    Matrix rows = dy;
    double scale = 0.5;
    if (natural) {
      const NaturalGradientOptions &options =
          result.model->component(0).preconditioners().at(0);
      EXPECT_EQ(options.rank, 40);
      EXPECT_EQ(options.updatePeriod, 1);
      scale *= NaturalGradient(options).precondition(
          MatrixView(rows.values.data(), 30, 3, 3));
    }
    std::vector<double> expected(3);
    for (size_t i = 0; i < rows.values.size(); ++i)
      expected[i % 3] += scale * rows.values[i];
    expectNear(parameterOf(*result.gradient, 0), expected);
  }
}

TEST(ConstantTest, OthersNeedTheirInput) {
  ProgramWriter writer;
  const int32_t component =
      writer.component("c", "ConstantFunctionComponent",
                       constantAttrs("ConstantFunctionComponent"));
  writer.propagate(component, /*src=*/-1, writer.zeroed(4, 3));
  EXPECT_EQ(loadError(writer),
            "command 1 (propagate): the component needs the source");
}

//===----------------------------------------------------------------------===//
// DropoutMask
//===----------------------------------------------------------------------===//

Matrix mask(int32_t rows, int32_t cols, double proportion, bool continuous,
            bool testMode, uint64_t seed = 0) {
  return outputFromNothing("DropoutMaskComponent",
                           {{"output_dim", cols},
                            {"dropout_proportion", proportion},
                            {"continuous", continuous},
                            {"test_mode", testMode}},
                           rows, cols, seed);
}

TEST(DropoutMaskTest, WithoutRandomness) {
  EXPECT_EQ(mask(2, 4, 0.25, false, true).values, Matrix(2, 4, 0.75f).values);
  EXPECT_EQ(mask(2, 4, 0.25, true, true).values, Matrix(2, 4, 1).values);
  EXPECT_EQ(mask(2, 4, 0, false, false).values, Matrix(2, 4, 1).values);
  EXPECT_EQ(mask(2, 4, 0, true, false).values, Matrix(2, 4, 1).values);
}

TEST(DropoutMaskTest, ZerosAreTheProportion) {
  const Matrix values = mask(1000, 4, 0.25, false, false, 1);
  double sum = 0;
  for (float value : values.values) {
    EXPECT_TRUE(value == 0 || value == 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 4000, 0.75, 0.03);
  EXPECT_NE(values.values, mask(1000, 4, 0.25, false, false, 2).values);
}

TEST(DropoutMaskTest, ContinuousMasksHaveMeanOne) {
  double sum = 0, least = 1, most = 1;
  for (float value : mask(1000, 2, 0.2, true, false).values) {
    sum += value;
    least = std::min<double>(least, value);
    most = std::max<double>(most, value);
  }
  EXPECT_NEAR(sum / 2000, 1, 0.03);
  EXPECT_NEAR(least, 0.6, 0.01);
  EXPECT_NEAR(most, 1.4, 0.01);
}

// The first two of two or three columns are never both 0 up to one half.
TEST(DropoutMaskTest, GatesAreCoupled) {
  for (int32_t cols : {2, 3}) {
    const Matrix values = mask(1000, cols, 0.25, false, false, 3);
    std::vector<double> sums(cols);
    for (int32_t r = 0; r < 1000; ++r) {
      EXPECT_NE(values.at(r, 0) + values.at(r, 1), 0);
      for (int32_t c = 0; c < cols; ++c)
        sums[c] += values.at(r, c);
    }
    for (double sum : sums)
      EXPECT_NEAR(sum / 1000, 0.75, 0.06);
  }
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
