//===- PerElementBackwardTest.cpp - Scales and offsets, and their updates -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ComponentState.h"
#include "test/support/BackpropTrial.h"
#include "train/NaturalGradient.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

constexpr int32_t kRows = 5, kDim = 12;

/// Expects what differences give: the derivative of the input, and the gradient
/// of the parameters.
void expectDifferences(const BackpropTrial &trial, const Matrix &x,
                       int32_t numParameters) {
  const Matrix dy = randomMatrix(trial.outRows, trial.outCols, 90);
  const Matrix slope = numericInDeriv(trial, x, dy);
  expectNear(inDerivBothWays(trial, x, dy),
             {slope.values.begin(), slope.values.end()}, 1e-3);
  BackpropTrial alone = trial, inPlace = trial;
  alone.wantsInputDeriv = false;
  inPlace.inPlaceBackward = true; // after the update
  for (int32_t i = 0; i < numParameters; ++i) {
    const Matrix gradient = numericGradient(trial, i, x, dy);
    const std::vector<double> expected(gradient.values.begin(),
                                       gradient.values.end());
    for (const BackpropTrial &each : {trial, alone, inPlace})
      expectNear(parameterOf(*backprop(each, x, dy).gradient, i), expected,
                 1e-3);
  }
}

TEST(PerElementBackwardTest, Scales) {
  const Matrix x = randomMatrix(kRows, kDim, 91);
  const Attrs attrs = {
      {"dim", kDim},
      {"scales", vectorTensor(randomMatrix(1, kDim, 92).values)}};
  expectDifferences(trialOf("FixedScaleComponent", attrs, x), x, 0);
  expectDifferences(trialOf("PerElementScaleComponent", attrs, x), x, 1);
  expectDifferences(
      trialOf("NaturalGradientPerElementScaleComponent", attrs, x), x, 1);
}

TEST(PerElementBackwardTest, Offsets) {
  const Matrix x = randomMatrix(kRows, kDim, 93);
  expectDifferences(
      trialOf("FixedBiasComponent",
              {{"dim", kDim},
               {"bias", vectorTensor(randomMatrix(1, kDim, 94).values)}},
              x),
      x, 0);
  for (int32_t blockDim : {1, 4, kDim})
    expectDifferences(
        trialOf(
            "PerElementOffsetComponent",
            {{"dim", kDim},
             {"block_dim", blockDim},
             {"offsets", vectorTensor(randomMatrix(1, blockDim, 95).values)}},
            x),
        x, 1);
}

BackpropTrial scaleAndOffset(const Matrix &x, int32_t blockDim,
                             std::vector<float> scales) {
  const Matrix offsets = randomMatrix(1, blockDim, 96);
  return trialOf("ScaleAndOffsetComponent",
                 {{"dim", x.cols},
                  {"block_dim", blockDim},
                  {"scales", vectorTensor(scales)},
                  {"offsets", vectorTensor(offsets.values)}},
                 x);
}

TEST(PerElementBackwardTest, ScalesAndOffsets) {
  const Matrix x = randomMatrix(kRows, kDim, 97);
  for (int32_t blockDim : {4, kDim}) {
    std::vector<float> scales = randomMatrix(1, blockDim, 98).values;
    for (float &scale : scales)
      scale += scale < 0 ? -0.5f : 0.5f;
    BackpropTrial trial = scaleAndOffset(x, blockDim, scales);
    expectDifferences(trial, x, 2);
    trial.inPlaceForward = true;
    expectDifferences(trial, x, 2);
  }
}

TEST(PerElementBackwardTest, SmallScalesAreRaisedForwardOnly) {
  const Matrix x = randomMatrix(kRows, 3, 99), dy = randomMatrix(kRows, 3, 100);
  const std::vector<float> scales = {0, -1e-6f, 2};
  const BackpropResult result = backprop(scaleAndOffset(x, 3, scales), x, dy);
  std::vector<double> inDeriv, gradient(3);
  for (size_t i = 0; i < x.values.size(); ++i) {
    inDeriv.push_back(double(dy.values[i]) * scales[i % 3]);
    gradient[i % 3] += double(dy.values[i]) * x.values[i];
  }
  expectNear(result.inDeriv, inDeriv, 1e-6);
  // The input is found again to 2^-24 of an offset of about 1, divided by 1e-4.
  expectNear(parameterOf(*result.gradient, 0), gradient, 1e-2);
}

//===----------------------------------------------------------------------===//
// Natural gradient
//===----------------------------------------------------------------------===//

/// Returns a parameter of ones after an update with learning rate 0.5. \p
/// derivs are preconditioned if \p options is not null.
std::vector<double> updated(const NaturalGradientOptions *options,
                            Matrix derivs) {
  double rate = 0.5;
  if (options)
    rate *= NaturalGradient(*options).precondition(MatrixView(
        derivs.values.data(), derivs.rows, derivs.cols, derivs.cols));
  std::vector<double> result(derivs.cols, 1.0);
  for (int32_t r = 0; r < derivs.rows; ++r)
    for (int32_t c = 0; c < derivs.cols; ++c)
      result[c] += rate * derivs.at(r, c);
  return result;
}

/// One update of a model whose parameters are 1.
BackpropResult update(BackpropTrial trial, const Matrix &x, const Matrix &dy) {
  trial.prepare = [](Model &, Model &gradient) {
    ComponentState &state = gradient.state(0);
    for (MatrixView &parameter : state.parameters)
      std::fill_n(parameter.data, parameter.cols, 1.0f);
    state.isGradient = false;
    state.learningRate = 0.5f;
  };
  return backprop(trial, x, dy);
}

/// Returns the elementwise product of two matrices, in blocks of \p blockDim
/// columns.
Matrix products(const Matrix &a, const Matrix &b, int32_t blockDim) {
  Matrix result = a;
  for (size_t i = 0; i < a.values.size(); ++i)
    result.values[i] *= b.values[i];
  return matrixOf(a.rows * (a.cols / blockDim), result.values);
}

const NaturalGradientOptions &optionsOf(const BackpropResult &result,
                                        size_t index) {
  return result.model->component(0).preconditioners().at(index);
}

void expectOptions(const NaturalGradientOptions &options, int32_t rank,
                   int32_t period, float history = 2000, float alpha = 4) {
  EXPECT_EQ(options.rank, rank);
  EXPECT_EQ(options.updatePeriod, period);
  EXPECT_EQ(options.numSamplesHistory, history);
  EXPECT_EQ(options.numMinibatchesHistory, 0);
  EXPECT_EQ(options.alpha, alpha);
}

TEST(PerElementUpdateTest, Scales) {
  const Matrix x = randomMatrix(40, kDim, 101),
               dy = randomMatrix(40, kDim, 102);
  Attrs attrs = {{"dim", kDim},
                 {"scales", vectorTensor(randomMatrix(1, kDim, 103).values)}};
  const Matrix derivs = products(x, dy, kDim);
  expectNear(
      parameterOf(*update(trialOf("PerElementScaleComponent", attrs, x), x, dy)
                       .gradient,
                  0),
      updated(nullptr, derivs));

  const char *type = "NaturalGradientPerElementScaleComponent";
  BackpropResult result = update(trialOf(type, attrs, x), x, dy);
  expectOptions(optionsOf(result, 0), 8, 10);
  expectNear(parameterOf(*result.gradient, 0),
             updated(&optionsOf(result, 0), derivs));
  attrs.insert(attrs.end(), {{"rank", 3},
                             {"update_period", 2},
                             {"num_samples_history", 500.0},
                             {"alpha", 2.0}});
  result = update(trialOf(type, attrs, x), x, dy);
  expectOptions(optionsOf(result, 0), 3, 2, 500, 2);
  expectNear(parameterOf(*result.gradient, 0),
             updated(&optionsOf(result, 0), derivs));
}

TEST(PerElementUpdateTest, Offsets) {
  const Matrix x = randomMatrix(40, 50, 104), dy = randomMatrix(40, 50, 105);
  for (int32_t blockDim : {25, 50}) {
    BackpropTrial trial = trialOf(
        "PerElementOffsetComponent",
        {{"dim", 50},
         {"block_dim", blockDim},
         {"offsets", vectorTensor(randomMatrix(1, blockDim, 106).values)}},
        x);
    const Matrix derivs = matrixOf(40 * (50 / blockDim), dy.values);
    BackpropResult result = update(trial, x, dy);
    expectOptions(optionsOf(result, 0), 20, 4);
    expectNear(parameterOf(*result.gradient, 0),
               updated(&optionsOf(result, 0), derivs));
    trial.attrs.push_back({"use_natural_gradient", false});
    result = update(trial, x, dy);
    EXPECT_TRUE(result.model->component(0).preconditioners().empty());
    expectNear(parameterOf(*result.gradient, 0), updated(nullptr, derivs));
  }
}

TEST(PerElementUpdateTest, ScalesAndOffsets) {
  const Matrix x = randomMatrix(40, 50, 107), dy = randomMatrix(40, 50, 108);
  for (int32_t blockDim : {25, 50}) {
    BackpropTrial trial =
        scaleAndOffset(x, blockDim, std::vector<float>(blockDim, 1.5f));
    const Matrix scaleDerivs = products(x, dy, blockDim);
    const Matrix offsetDerivs = matrixOf(40 * (50 / blockDim), dy.values);
    auto expectUpdate = [&](const BackpropResult &result,
                            const NaturalGradientOptions *options) {
      expectNear(parameterOf(*result.gradient, 0),
                 updated(options, scaleDerivs), 1e-4);
      expectNear(parameterOf(*result.gradient, 1),
                 updated(options, offsetDerivs));
    };
    trial.attrs.push_back({"rank", 7});
    BackpropResult result = update(trial, x, dy);
    expectOptions(optionsOf(result, 0), 7, 1);
    expectOptions(optionsOf(result, 1), 7, 1);
    expectUpdate(result, &optionsOf(result, 0));
    trial.attrs.push_back({"use_natural_gradient", false});
    result = update(trial, x, dy);
    EXPECT_TRUE(result.model->component(0).preconditioners().empty());
    expectUpdate(result, nullptr);
  }
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
