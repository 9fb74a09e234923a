//===- NonlinearTest.cpp - Nonlinearities against double precision --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/ProgramWriter.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// f of each row.
std::vector<double>
byRow(const Matrix &x,
      const std::function<std::vector<double>(std::vector<double>)> &f) {
  std::vector<double> y;
  for (int32_t r = 0; r < x.rows; ++r) {
    std::vector<double> row =
        f(std::vector<double>(x.values.begin() + size_t(r) * x.cols,
                              x.values.begin() + size_t(r + 1) * x.cols));
    y.insert(y.end(), row.begin(), row.end());
  }
  return y;
}

Trial simple(const std::string &type, const Matrix &x) {
  Trial trial;
  trial.type = type;
  trial.attrs = {{"dim", x.cols}};
  trial.outRows = x.rows;
  trial.outCols = x.cols;
  trial.initial = 9;
  return trial;
}

struct Elementwise {
  const char *type;
  double (*f)(double);
};

class ElementwiseTest : public testing::TestWithParam<Elementwise> {};

TEST_P(ElementwiseTest, OutOfPlaceAndInPlace) {
  for (int32_t cols : {1, 3, 17, 40}) {
    for (float scale : {0.01f, 3.0f, 200.0f}) {
      const Matrix x = randomMatrix(5, cols, cols, scale);
      std::vector<double> expected;
      for (float value : x.values)
        expected.push_back(GetParam().f(value));
      Trial trial = simple(GetParam().type, x);
      expectNear(propagate(trial, x), expected, 1e-6);
      trial.inPlace = true;
      expectNear(propagate(trial, x), expected, 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, ElementwiseTest,
    testing::Values(
        Elementwise{"RectifiedLinearComponent",
                    [](double x) { return x > 0 ? x : 0.0; }},
        Elementwise{"SigmoidComponent",
                    [](double x) { return 1 / (1 + std::exp(-x)); }},
        Elementwise{"TanhComponent", [](double x) { return std::tanh(x); }},
        Elementwise{"NoOpComponent", [](double x) { return x; }},
        Elementwise{"ClipGradientComponent", [](double x) { return x; }}));

std::vector<double> softmax(std::vector<double> x) {
  const double largest = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (double &value : x)
    sum += value = std::exp(value - largest);
  for (double &value : x)
    value = std::max(value / sum, 1e-20);
  return x;
}

std::vector<double> logSoftmax(std::vector<double> x) {
  const double largest = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (double value : x)
    sum += std::exp(value - largest);
  for (double &value : x)
    value = value - largest - std::log(sum);
  return x;
}

TEST(SoftmaxTest, AllMagnitudes) {
  for (int32_t cols : {1, 3, 17, 3000}) {
    for (float scale : {1.0f, 50.0f, 1e5f}) {
      const Matrix x = randomMatrix(4, cols, 11, scale);
      Trial trial = simple("SoftmaxComponent", x);
      expectNear(propagate(trial, x), byRow(x, softmax), 1e-6);
      trial.inPlace = true;
      expectNear(propagate(trial, x), byRow(x, softmax), 1e-6);
      expectNear(propagate(simple("LogSoftmaxComponent", x), x),
                 byRow(x, logSoftmax), 2e-6);
    }
  }
}

TEST(SoftmaxTest, Floor) {
  Matrix x(1, 2);
  x.values = {0, -1000};
  const Matrix y = propagate(simple("SoftmaxComponent", x), x);
  EXPECT_EQ(y.values[0], 1.0f);
  EXPECT_EQ(y.values[1], 1e-20f);
  const Matrix logY = propagate(simple("LogSoftmaxComponent", x), x);
  EXPECT_EQ(logY.values[1], -1000.0f);
}

std::vector<double> normalize(const std::vector<double> &x, size_t blockDim,
                              double targetRms, bool addLogStddev) {
  std::vector<double> y;
  for (size_t begin = 0; begin < x.size(); begin += blockDim) {
    double sum = 0;
    for (size_t i = 0; i < blockDim; ++i)
      sum += x[begin + i] * x[begin + i];
    const double f =
        1 /
        std::sqrt(std::max(std::ldexp(1.0, -66),
                           sum / (double(blockDim) * targetRms * targetRms)));
    for (size_t i = 0; i < blockDim; ++i)
      y.push_back(f * x[begin + i]);
    if (addLogStddev)
      y.push_back(std::log(targetRms) - std::log(f));
  }
  return y;
}

TEST(NormalizeTest, BlocksAndLogStddev) {
  for (int32_t blockDim : {1, 3, 17}) {
    for (int32_t blocks : {1, 2}) {
      for (bool addLogStddev : {false, true}) {
        Matrix x = randomMatrix(5, blockDim * blocks, 12);
        for (int32_t c = 0; c < x.cols; ++c) // a row at the floor
          x.at(1, c) = 0;
        Trial trial;
        trial.type = "NormalizeComponent";
        trial.attrs = {{"input_dim", x.cols},
                       {"block_dim", blockDim},
                       {"target_rms", 0.7},
                       {"add_log_stddev", addLogStddev}};
        trial.outRows = x.rows;
        trial.outCols = x.cols + (addLogStddev ? blocks : 0);
        auto expected = byRow(x, [&](std::vector<double> row) {
          return normalize(row, size_t(blockDim), 0.7, addLogStddev);
        });
        expectNear(propagate(trial, x), expected, 1e-6);
        if (addLogStddev)
          continue;
        trial.inPlace = true;
        expectNear(propagate(trial, x), expected, 1e-6);
      }
    }
  }
}

/// Batch normalisation with the statistics of the rows themselves.
std::vector<double> batchNorm(const Matrix &x, int32_t blockDim, double epsilon,
                              double targetRms) {
  const int32_t blocks = x.cols / blockDim;
  std::vector<double> y(x.values.size());
  for (int32_t c = 0; c < blockDim; ++c) {
    double sum = 0, sumsq = 0;
    for (int32_t r = 0; r < x.rows; ++r)
      for (int32_t b = 0; b < blocks; ++b) {
        const double value = x.at(r, b * blockDim + c);
        sum += value;
        sumsq += value * value;
      }
    const double count = double(x.rows) * blocks, mean = sum / count;
    const double variance = std::max(0.0, sumsq / count - mean * mean);
    for (int32_t r = 0; r < x.rows; ++r)
      for (int32_t b = 0; b < blocks; ++b) {
        const size_t at = size_t(r) * x.cols + b * blockDim + c;
        y[at] =
            targetRms / std::sqrt(variance + epsilon) * (x.values[at] - mean);
      }
  }
  return y;
}

TEST(BatchNormTest, Training) {
  for (int32_t blockDim : {1, 3, 17}) {
    for (int32_t blocks : {1, 3}) {
      Matrix x = randomMatrix(7, blockDim * blocks, 13);
      for (float &value : x.values) // a mean far from 0
        value += 20;
      Trial trial;
      trial.type = "BatchNormComponent";
      trial.attrs = {{"dim", x.cols},
                     {"block_dim", blockDim},
                     {"epsilon", 0.01},
                     {"target_rms", 0.5}};
      trial.outRows = x.rows;
      trial.outCols = x.cols;
      const auto expected = batchNorm(x, blockDim, 0.01, 0.5);
      expectNear(propagate(trial, x), expected);
      trial.inPlace = true;
      expectNear(propagate(trial, x), expected);
    }
  }
}

TEST(BatchNormTest, TestMode) {
  for (int32_t blocks : {1, 2}) {
    const int32_t blockDim = 17;
    const Matrix x = randomMatrix(4, blockDim * blocks, 14);
    const Matrix mean = randomMatrix(1, blockDim, 15);
    Matrix variance = randomMatrix(1, blockDim, 16);
    Trial trial;
    trial.type = "BatchNormComponent";
    trial.attrs = {{"dim", x.cols},
                   {"block_dim", blockDim},
                   {"test_mode", true},
                   {"count", 10.0},
                   {"stats_mean", vectorTensor(mean.values)},
                   {"stats_var", vectorTensor(variance.values)}};
    trial.outRows = x.rows;
    trial.outCols = x.cols;
    std::vector<double> expected;
    for (size_t i = 0; i < x.values.size(); ++i) {
      const size_t c = i % size_t(blockDim);
      const double var = std::max(0.0, double(variance.values[c]));
      expected.push_back((x.values[i] - mean.values[c]) /
                         std::sqrt(var + 1e-3));
    }
    expectNear(propagate(trial, x), expected);
    trial.inPlace = true;
    expectNear(propagate(trial, x), expected);
  }
}

TEST(BatchNormTest, TestModeWithoutStatistics) {
  const Matrix x = randomMatrix(4, 3, 17);
  Trial trial = simple("BatchNormComponent", x);
  trial.attrs.push_back({"test_mode", true});
  trial.attrs.push_back({"count", 0.0});
  std::vector<double> expected;
  for (float value : x.values)
    expected.push_back(value / std::sqrt(1.001));
  expectNear(propagate(trial, x), expected, 1e-6);
}

} // namespace
