//===- VectorMathTest.cpp - Accuracy of the elementary functions ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/math/VectorMath.h"
#include "cpu/math/Float.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace nnet3::rt;

namespace {

/// Floats of all magnitudes up to \p limit, of both signs, and a fine grid.
std::vector<float> samples(float limit) {
  std::vector<float> x;
  for (float magnitude = 1e-30f; magnitude < limit; magnitude *= 1.0007f) {
    x.push_back(magnitude);
    x.push_back(-magnitude);
  }
  for (float value = -limit; value < limit; value += limit / 100000)
    x.push_back(value);
  return x;
}

/// The largest relative error of \p loop over \p x.
double
worstError(const std::vector<float> &x,
           const std::function<void(int64_t, const float *, float *)> &loop,
           double (*exact)(double)) {
  std::vector<float> y(x.size());
  loop(int64_t(x.size()), x.data(), y.data());
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double wanted = exact(x[i]);
    if (std::fabs(wanted) < 1.2e-38) // denormal results are flushed
      continue;
    worst = std::max(worst, std::fabs(y[i] - wanted) / std::fabs(wanted));
  }
  return worst;
}

TEST(VectorMathTest, Exp) {
  auto loop = [](int64_t n, const float *x, float *y) {
    vecExpSum(n, x, 0.0f, y);
  };
  const double worst =
      worstError(samples(88.7f), loop, [](double x) { return std::exp(x); });
  EXPECT_LT(worst, 1.5e-7);
  RecordProperty("worst", std::to_string(worst));
}

TEST(VectorMathTest, Sigmoid) {
  EXPECT_LT(worstError(samples(87.0f), vecSigmoid,
                       [](double x) { return 1 / (1 + std::exp(-x)); }),
            4e-7);
}

TEST(VectorMathTest, Tanh) {
  EXPECT_LT(worstError(samples(100.0f), vecTanh,
                       [](double x) { return std::tanh(x); }),
            5e-7);
}

TEST(VectorMathTest, Limits) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {-inf, -1e30f, -90, 0, 90, 1e30f, inf, nan};
  std::vector<float> y(x.size());
  vecExpSum(int64_t(x.size()), x.data(), 0.0f, y.data());
  EXPECT_EQ(std::vector<float>(y.begin(), y.end() - 1),
            (std::vector<float>{0, 0, 0, 1, inf, inf, inf}));
  EXPECT_TRUE(std::isnan(y.back()));
  vecSigmoid(int64_t(x.size()), x.data(), y.data());
  EXPECT_EQ(std::vector<float>(y.begin(), y.end() - 1),
            (std::vector<float>{0, 0, 0, 0.5, 1, 1, 1}));
  EXPECT_TRUE(std::isnan(y.back()));
  vecTanh(int64_t(x.size()), x.data(), y.data());
  EXPECT_EQ(std::vector<float>(y.begin(), y.end() - 1),
            (std::vector<float>{-1, -1, -1, 0, 1, 1, 1}));
  EXPECT_TRUE(std::isnan(y.back()));
  vecRelu(int64_t(x.size()), x.data(), y.data());
  EXPECT_TRUE(std::isnan(y.back()));
}

TEST(VectorMathTest, ReductionsOfAnyLength) {
  for (int64_t n : {1, 15, 16, 17, 63, 64, 200}) {
    std::vector<float> x;
    for (int64_t i = 0; i < n; ++i)
      x.push_back(float((i * 37) % 101) - 50);
    float largest = x[0];
    double sumSquares = 0, sumExp = 0;
    for (float value : x) {
      largest = std::max(largest, value);
      sumSquares += double(value) * value;
      sumExp += std::exp(double(value) - 3);
    }
    EXPECT_EQ(vecMax(n, x.data()), largest);
    EXPECT_DOUBLE_EQ(vecSumSquares(n, x.data()), sumSquares);
    EXPECT_NEAR(vecSumSquaresSingle(n, x.data()) / sumSquares, 1, 1e-7);
    EXPECT_NEAR(vecSumExp(n, x.data(), 3) / sumExp, 1, 1e-6);
  }
}

} // namespace
