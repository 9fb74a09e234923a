//===- NumericDerivatives.cpp - Against central differences ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NumericDerivatives.h"
#include "core/ComponentState.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {

static std::vector<double> toVector(const Matrix &matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

void expectNumericDerivatives(const BackpropTrial &trial, const Matrix &input,
                              double tolerance) {
  const Matrix outDeriv = randomMatrix(trial.outRows, trial.outCols, 90);
  BackpropTrial alone = trial, derivOnly = trial;
  alone.wantsInputDeriv = false;
  derivOnly.hasModel = derivOnly.hasGradient = false;
  const BackpropResult both = backprop(trial, input, outDeriv),
                       one = backprop(alone, input, outDeriv);
  expectNear(both.inDeriv, toVector(numericInDeriv(trial, input, outDeriv)),
             tolerance);
  EXPECT_EQ(backprop(derivOnly, input, outDeriv).inDeriv.values,
            both.inDeriv.values);
  const auto numParameters =
      static_cast<int32_t>(both.gradient->state(0).parameters.size());
  for (int32_t i = 0; i < numParameters; ++i) {
    const auto expected = toVector(numericGradient(trial, i, input, outDeriv));
    expectNear(parameterOf(*both.gradient, i), expected, tolerance);
    expectNear(parameterOf(*one.gradient, i), expected, tolerance);
  }
}

BackpropTrial updating(BackpropTrial trial, float rate) {
  trial.prepare = [rate](Model &, Model &gradient) {
    ComponentState &state = gradient.state(0);
    state.isGradient = false;
    state.learningRate = rate;
  };
  return trial;
}

Matrix outputOf(const BackpropTrial &trial, const Matrix &input) {
  Trial forward;
  forward.type = trial.type;
  forward.attrs = trial.attrs;
  forward.precomputed = trial.precomputed;
  forward.outRows = trial.outRows;
  forward.outCols = trial.outCols;
  forward.options.seed = trial.seed;
  return propagate(forward, input);
}

} // namespace test
} // namespace rt
} // namespace nnet3
