//===- ComparisonTest.cpp - Comparing outputs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/Comparison.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using mlir::nnet3::Comparison;
using ::nnet3::rt::ConstMatrixView;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::string print(const Comparison &comparison) {
  std::string text;
  llvm::raw_string_ostream os(text);
  comparison.print(os, "output", "this against that");
  return text;
}

TEST(Comparison, MeasuresOverAllMatrices) {
  const float a[] = {3, 4, 0, 0}, b[] = {3, 4.5, 0, 0}, c[] = {10, 0, 0, 10};
  const float d[] = {10, 0, 10, 0};
  Comparison comparison;
  comparison.add({a, 2, 2, 2}, {b, 2, 2, 2});
  EXPECT_EQ(comparison.getMaxAbsolute(), 0.5);
  EXPECT_EQ(comparison.getMaxRelative(), 0.125);
  EXPECT_EQ(comparison.getRelativeRms(), 0.5 / 5);
  EXPECT_EQ(comparison.getArgmaxShare(), 1);
  // With a stride, and other largest elements.
  comparison.add({c, 1, 2, 4}, {c, 1, 2, 4});
  comparison.add({c + 2, 1, 2, 4}, {d + 2, 1, 2, 4});
  EXPECT_EQ(comparison.getMaxAbsolute(), 10);
  EXPECT_EQ(comparison.getArgmaxShare(), 0.75);
  EXPECT_EQ(print(comparison), "accuracy of 'output', this against that: max "
                               "abs 10, max rel 141, rms error / rms 0.943, "
                               "same argmax 75.00% (4 x 2)\n");
}

TEST(Comparison, OfOneColumnHasNoArgmax) {
  const float a[] = {1, 2};
  Comparison comparison;
  comparison.add({a, 2, 1, 1}, {a, 2, 1, 1});
  EXPECT_EQ(print(comparison), "accuracy of 'output', this against that: max "
                               "abs 0, max rel 0, rms error / rms 0 (2 x 1)\n");
}

TEST(Comparison, KnowsWhatIsNoNumber) {
  const float a[] = {-kInfinity, kNaN, 1}, b[] = {-kInfinity, kNaN, 1};
  Comparison equal;
  equal.add({a, 1, 3, 3}, {b, 1, 3, 3});
  EXPECT_EQ(equal.getMaxAbsolute(), 0);
  const float c[] = {-kInfinity, 1, kNaN};
  Comparison other;
  other.add({a, 1, 3, 3}, {c, 1, 3, 3});
  EXPECT_TRUE(std::isinf(other.getMaxAbsolute()));
  EXPECT_TRUE(std::isinf(other.getMaxRelative()));
  EXPECT_TRUE(std::isinf(other.getRelativeRms()));
}

/// The error of an element near zero is relative to the elements around it.
TEST(Comparison, BoundsRelativeErrorsNearZero) {
  const float a[] = {2, 0}, b[] = {2, 0.001f};
  Comparison comparison;
  comparison.add({a, 1, 2, 2}, {b, 1, 2, 2});
  EXPECT_NEAR(comparison.getMaxRelative(), 0.001 / (std::sqrt(2) / 100), 1e-6);
}

} // namespace
