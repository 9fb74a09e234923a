//===- BackwardRulesTest.cpp - Backward passes that are no derivatives ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Components whose backward pass is not the derivative of their forward pass.
// Each is alone in a network and compared row by row with the rule of
// components.md 6. The derivatives of the outputs are large, so that clipping
// happens.
//
//===----------------------------------------------------------------------===//

#include "BackwardProgram.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

namespace {

constexpr int kDim = 4;

/// Returns the derivative of an input row, from its index, its value and the
/// derivative of the output.
using Rule = std::function<Vector(Index, const Vector &, const Vector &)>;

class BackwardRulesTest : public ::testing::Test {
protected:
  /// Runs a component `op` with `attributes` on random rows.
  void runComponent(const std::string &op, const std::string &attributes);
  void expectRule(const std::string &op, const std::string &attributes,
                  const Rule &rule);

  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  Random random{7};
  std::unique_ptr<Case> test;
  Derivatives derivatives;
};

Vector scaled(double factor, Vector values) {
  for (double &value : values)
    value *= factor;
  return values;
}

double norm(const Vector &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

/// Draws sequences, and times on both sides of 0, in one of the row orders of
/// requests.
std::vector<Index> drawRows(Random &random) {
  std::vector<Index> rows;
  int last = random.between(5, 20);
  for (int n = 0; n < 4; ++n)
    for (int t = -12; t <= last; ++t)
      rows.push_back({2 * n, t, 0});
  if (random.chance(0.5))
    random.shuffle(rows);
  return rows;
}

/// Returns row `row` of a matrix of kDim columns.
template <typename T> Vector rowOf(const std::vector<T> &values, size_t row) {
  auto begin = values.begin() + row * kDim;
  return Vector(begin, begin + kDim);
}

} // namespace

void BackwardRulesTest::runComponent(const std::string &op,
                                     const std::string &attributes) {
  NetworkText text;
  NodeRef input = text.addInput("input", kDim);
  text.addComponent("component", op, integer("dim", kDim) + ", " + attributes);
  text.addOutput("output", text.addNode("node", "component", input, kDim));
  RandomNetwork network;
  network.text = text.str();
  const std::vector<Index> rows = drawRows(random);
  RandomRequest request = makeGradientRequest(rows);
  for (size_t i = 0; i < rows.size() * kDim; ++i) {
    request.inputs[0].values.push_back(
        random.chance(0.1) ? 0 : float(random.real(-1, 1)));
    request.outputs[0].values.push_back(float(random.real(-20, 20)));
  }
  test = Case::create(*context, network, request);
  ASSERT_EQ(test->getError(), "");
  Compiled compiled = compile(*test, /*foldSequences=*/random.chance(0.5));
  ASSERT_TRUE(compiled.op) << compiled.diagnostics;
  auto program = BackwardProgram::create(*test, compiled.op, /*poison=*/true);
  ASSERT_TRUE(program.ok()) << program.status().message();
  auto result = (*program)->run(request);
  ASSERT_TRUE(result.ok()) << result.status().message();
  derivatives = *result;
}

void BackwardRulesTest::expectRule(const std::string &op,
                                   const std::string &attributes,
                                   const Rule &rule) {
  for (int repeat = 0; repeat < 4; ++repeat) {
    runComponent(op, attributes);
    if (HasFatalFailure())
      return;
    const RandomIo &input = test->getRequest().inputs[0];
    const RandomIo &output = test->getRequest().outputs[0];
    const Vector &actual = derivatives.of["input"][kValue];
    for (size_t row = 0; row < input.rows.size(); ++row) {
      Vector expected = rule(input.rows[row], rowOf(input.values, row),
                             rowOf(output.values, row));
      for (int i = 0; i < kDim; ++i)
        ASSERT_NEAR(actual[row * kDim + i], expected[i],
                    1e-5 * (1 + std::abs(expected[i])))
            << test->reproducer() << "row " << row << ", column " << i;
    }
  }
}

TEST_F(BackwardRulesTest, NoOpScales) {
  expectRule(
      "no_op", number("backprop_scale", 0.3),
      [](Index, const Vector &, const Vector &dy) { return scaled(0.3f, dy); });
}

TEST_F(BackwardRulesTest, ClipGradientClampsElements) {
  expectRule("clip_gradient", number("clipping_threshold", 6),
             [](Index, const Vector &, Vector dy) {
               for (double &value : dy)
                 value = std::min(6.0, std::max(-6.0, value));
               return dy;
             });
}

TEST_F(BackwardRulesTest, ClipGradientScalesRows) {
  expectRule("clip_gradient",
             number("clipping_threshold", 16) + ", norm_based_clipping = true",
             [](Index, const Vector &, const Vector &dy) {
               return scaled(std::min(1.0, 16 / norm(dy)), dy);
             });
}

TEST_F(BackwardRulesTest, ClipGradientStopsAtThresholdZero) {
  expectRule(
      "clip_gradient", number("clipping_threshold", 0),
      [](Index, const Vector &, const Vector &dy) { return scaled(0, dy); });
}

TEST_F(BackwardRulesTest, BackpropTruncationClipsAndZeroes) {
  auto floorDiv = [](int a, int b) { return int(std::floor(double(a) / b)); };
  expectRule("backprop_truncation",
             number("scale", 0.8) + ", " + number("clipping_threshold", 20) +
                 ", " + number("zeroing_threshold", 14) + ", " +
                 integer("zeroing_interval", 7) + ", " +
                 integer("recurrence_interval", 3),
             [&](Index index, const Vector &, const Vector &dy) {
               Vector dx = scaled(0.8f, dy);
               int t = index.t - index.n;
               bool isBoundary = floorDiv(t, 7) != floorDiv(t - 3, 7);
               if (isBoundary && norm(dx) > 14)
                 return scaled(0, dx);
               return scaled(std::min(1.0, 20 / norm(dx)), dx);
             });
}

TEST_F(BackwardRulesTest, DropoutTakesZerosForKept) {
  expectRule("dropout",
             "test_mode = true, " + number("dropout_proportion", 0.25),
             [](Index, const Vector &x, Vector dy) {
               for (int i = 0; i < kDim; ++i)
                 dy[i] *= x[i] == 0 ? 1 : 0.75;
               return dy;
             });
}

/// The forward pass raises scales below 1e-4 to that, the backward pass does
/// not.
TEST_F(BackwardRulesTest, ScaleAndOffsetLeavesSmallScales) {
  std::string scales = "scales = dense<[5.0e-5, -2.0, 0.0, -3.0e-5]> : "
                       "tensor<4xf32>, ";
  std::string offsets = "offsets = dense<[0.0, 1.0, 0.0, 0.0]> : tensor<4xf32>";
  expectRule("scale_and_offset", scales + offsets,
             [](Index, const Vector &, Vector dy) {
               Vector factors = {5e-5, -2, 0, -3e-5};
               for (int i = 0; i < kDim; ++i)
                 dy[i] *= factors[i];
               return dy;
             });
  // The gradient of the scales is that of X, without regard to the limit.
  const RandomRequest &request = test->getRequest();
  Vector expected(kDim, 0.0);
  for (size_t i = 0; i < request.inputs[0].values.size(); ++i)
    expected[i % kDim] +=
        double(request.inputs[0].values[i]) * request.outputs[0].values[i];
  const Vector &actual = derivatives.of["component"]["scales"];
  for (int i = 0; i < kDim; ++i)
    EXPECT_NEAR(actual[i], expected[i], 1e-3 + 1e-5 * std::abs(expected[i]));
}
