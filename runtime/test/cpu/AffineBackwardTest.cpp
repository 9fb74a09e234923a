//===- AffineBackwardTest.cpp - Derivatives of affine maps ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/AffineCase.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

std::vector<double> doubles(const Matrix &matrix, double plus = 0) {
  std::vector<double> values(matrix.values.begin(), matrix.values.end());
  for (double &value : values)
    value += plus;
  return values;
}

TEST(AffineBackwardTest, MatchesDifferences) {
  for (AffineCase &c : trainedCases()) {
    SCOPED_TRACE(c.name);
    c.trial.initialDeriv = 0.5;
    const BackpropResult result = backprop(c.trial, c.input, c.outDeriv);
    expectNear(result.inDeriv,
               doubles(numericInDeriv(c.trial, c.input, c.outDeriv), 0.5),
               2e-4);
    for (int32_t i = 0; i < c.numParameters(); ++i)
      expectNear(parameterOf(*result.gradient, i),
                 doubles(numericGradient(c.trial, i, c.input, c.outDeriv)),
                 2e-4);
  }
}

TEST(AffineBackwardTest, FixedAffineMatchesDifferences) {
  AffineCase c = affineCase("FixedAffineComponent", 6, 7, 5);
  c.trial.initialDeriv = 0.5;
  const BackpropResult result = backprop(c.trial, c.input, c.outDeriv);
  expectNear(result.inDeriv,
             doubles(numericInDeriv(c.trial, c.input, c.outDeriv), 0.5), 2e-4);
}

TEST(AffineBackwardTest, NeedsNoInputDeriv) {
  for (AffineCase &c : trainedCases()) {
    SCOPED_TRACE(c.name);
    const BackpropResult with = backprop(c.trial, c.input, c.outDeriv);
    c.trial.wantsInputDeriv = false;
    const BackpropResult without = backprop(c.trial, c.input, c.outDeriv);
    for (int32_t i = 0; i < c.numParameters(); ++i)
      EXPECT_EQ(parameterOf(*with.gradient, i).values,
                parameterOf(*without.gradient, i).values);
  }
}

} // namespace
