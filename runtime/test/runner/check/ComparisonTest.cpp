//===- ComparisonTest.cpp - Comparison of matrices ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/check/Comparison.h"
#include "CasePackWriter.h"

#include <gtest/gtest.h>
#include <limits>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// Compares \p actual with \p expected; returns the error message.
std::string compareWith(const ExpectedData &expected, const Matrix &actual) {
  CaseData data;
  data.name = "case";
  data.outputs = {expected};
  PackBytes bytes(writeCasePack({data}, {}));
  auto pack = CasePack::open(bytes.data(), bytes.size());
  EXPECT_TRUE(pack.ok()) << pack.status().message();
  return compare(valuesOf(actual.view()), *pack->getCase(0).outputs()->Get(0),
                 *pack);
}

TEST(ComparisonTest, Elements) {
  const ExpectedData expected = {"y", matrixOf(2, {0, 10})};
  EXPECT_EQ(compareWith(expected, matrixOf(2, {0.9e-4f, 10.001f})), "");
  EXPECT_EQ(compareWith(expected, matrixOf(2, {0, 10.002f})),
            "1 of 2 values differ, first at [1, 0]: expected 10, got "
            "10.0019999");
  EXPECT_EQ(compareWith(expected, matrixOf(1, {0, 10})),
            "expected 2 x 1, got 1 x 2");
}

TEST(ComparisonTest, NotANumberIsWrong) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  ExpectedData expected = {"y", matrixOf(1, {1, 2})};
  EXPECT_NE(compareWith(expected, matrixOf(1, {1, nan})), "");
  expected.byRms = true;
  EXPECT_NE(compareWith(expected, matrixOf(1, {1, nan})), "");
}

TEST(ComparisonTest, IgnoredColumns) {
  ExpectedData expected = {"y", matrixOf(1, {1, 2, 3})};
  expected.ignored = {0, 2};
  EXPECT_EQ(compareWith(expected, matrixOf(1, {7, 2, 7})), "");
  EXPECT_NE(compareWith(expected, matrixOf(1, {1, 7, 3})), "");
  expected.byRms = true;
  EXPECT_EQ(compareWith(expected, matrixOf(1, {7, 2, 7})), "");
}

TEST(ComparisonTest, RootMeanSquare) {
  ExpectedData expected = {"y", matrixOf(1, {1, 0})};
  expected.byRms = true;
  expected.tolerance = 1e-3f;
  EXPECT_EQ(compareWith(expected, matrixOf(1, {1, 0.9e-3f})), "");
  EXPECT_EQ(compareWith(expected, matrixOf(1, {1, 2e-3f})),
            "rms error 0.00141, but rms 0.707");
  expected.value = matrixOf(1, {0, 0}); // zero but for rounding
  expected.floor = 0.1f;
  EXPECT_EQ(compareWith(expected, matrixOf(1, {0, 1e-4f})), "");
  EXPECT_NE(compareWith(expected, matrixOf(1, {0, 1e-3f})), "");
}

TEST(ComparisonTest, Optional) {
  ExpectedData expected = {"y", matrixOf(1, {1, 2})};
  expected.optional = true;
  EXPECT_EQ(compareWith(expected, Matrix(1, 0)), "");
  EXPECT_EQ(compareWith(expected, Matrix(1, 2)), "");
  EXPECT_NE(compareWith(expected, matrixOf(1, {1, 3})), "");
  expected.optional = false;
  EXPECT_NE(compareWith(expected, Matrix(1, 2)), "");
}

} // namespace
