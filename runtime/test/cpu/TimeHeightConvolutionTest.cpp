//===- TimeHeightConvolutionTest.cpp - Convolution over time and height ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ComponentState.h"
#include "test/support/BackpropTrial.h"
#include "train/NaturalGradient.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

using Ints = std::vector<int64_t>;

constexpr int32_t kFiltersIn = 2, kFiltersOut = 3, kHeightIn = 5;

/// A convolution, with what it reads.
struct Case {
  const char *name;
  Ints offsets; ///< pairs (time, height)
  int32_t heightOut;
  int32_t subsample;
  /// First row of each time offset.
  Ints rowOffsets;
  int32_t rowStride;

  int32_t numOffsets() const { return int32_t(offsets.size() / 2); }
  int32_t cols() const { return numOffsets() * kFiltersIn; }
  /// The row of the input for an offset.
  int32_t row(int32_t offset, int32_t outRow) const {
    int32_t time = 0;
    for (int32_t i = 1; i <= offset; ++i)
      time += offsets[2 * i] != offsets[2 * i - 2];
    return int32_t(rowOffsets[time]) + outRow * rowStride;
  }
};

const Case kCases[] = {
    {"3x3",
     {-1, -1, -1, 0, -1, 1, 0, -1, 0, 0, 0, 1, 1, -1, 1, 0, 1, 1},
     5,
     1,
     {0, 1, 2},
     1},
    {"subsampled", {0, -1, 0, 0, 0, 1, 1, 0}, 3, 2, {0, 3}, 2},
    {"gaps", {0, -2, 0, 0, 0, 2, 2, -1, 2, 0}, 4, 1, {1, 0}, 1},
    {"1x1", {0, 0}, 5, 1, {2}, 1},
};

constexpr int32_t kOutRows = 4, kInRows = 10;

Matrix weightsOf(const Case &c) {
  return randomMatrix(kFiltersOut, c.cols(), 5, 1.0f);
}
Matrix biasOf() { return randomMatrix(1, kFiltersOut, 6, 1.0f); }

BackpropTrial trialOf(const Case &c) {
  BackpropTrial trial;
  trial.type = "TimeHeightConvolutionComponent";
  trial.attrs = {{"num_filters_in", kFiltersIn},
                 {"num_filters_out", kFiltersOut},
                 {"height_in", kHeightIn},
                 {"height_out", c.heightOut},
                 {"height_subsample_out", c.subsample},
                 {"offsets", c.offsets},
                 {"linear_params", tensor(weightsOf(c))},
                 {"bias_params", vectorTensor(biasOf().values)}};
  trial.precomputed = {{"row_stride", c.rowStride},
                       {"row_offsets", c.rowOffsets}};
  trial.outRows = kOutRows;
  trial.outCols = c.heightOut * kFiltersOut;
  return trial;
}

Matrix inputOf() { return randomMatrix(kInRows, kFiltersIn * kHeightIn, 1); }
Matrix derivOf(const Case &c) {
  return randomMatrix(kOutRows, c.heightOut * kFiltersOut, 2);
}

/// Calls f(output row, output height, offset, input row, input height) for all
/// that are in range.
template <typename Function> void forEachRead(const Case &c, Function f) {
  for (int32_t row = 0; row < kOutRows; ++row)
    for (int32_t height = 0; height < c.heightOut; ++height)
      for (int32_t o = 0; o < c.numOffsets(); ++o) {
        const int32_t from =
            height * c.subsample + int32_t(c.offsets[2 * o + 1]);
        if (from >= 0 && from < kHeightIn)
          f(row, height, o, c.row(o, row), from);
      }
}

/// The gradient, the last column for the bias.
Matrix gradientOf(const Case &c, const Matrix &x, const Matrix &dy) {
  Matrix gradient(kFiltersOut, c.cols() + 1);
  forEachRead(c, [&](int32_t row, int32_t height, int32_t o, int32_t inRow,
                     int32_t from) {
    for (int32_t f = 0; f < kFiltersOut; ++f)
      for (int32_t i = 0; i < kFiltersIn; ++i)
        gradient.at(f, o * kFiltersIn + i) +=
            dy.at(row, height * kFiltersOut + f) *
            x.at(inRow, from * kFiltersIn + i);
  });
  for (int32_t row = 0; row < kOutRows; ++row)
    for (int32_t col = 0; col < dy.cols; ++col)
      gradient.at(col % kFiltersOut, c.cols()) += dy.at(row, col);
  return gradient;
}

/// Expects parameters scale * gradient.
void expectUpdate(const Case &c, const Model &model, const Matrix &gradient,
                  double scale) {
  std::vector<double> weights, bias;
  for (int32_t f = 0; f < kFiltersOut; ++f) {
    for (int32_t i = 0; i < c.cols(); ++i)
      weights.push_back(scale * gradient.at(f, i));
    bias.push_back(scale * gradient.at(f, c.cols()));
  }
  expectNear(parameterOf(model, 0), weights, 1e-4);
  expectNear(parameterOf(model, 1), bias, 1e-4);
}

TEST(TimeHeightConvolutionTest, IsTheSumOverOffsets) {
  for (const Case &c : kCases) {
    SCOPED_TRACE(c.name);
    const Matrix x = inputOf(), w = weightsOf(c), b = biasOf();
    Matrix y(kOutRows, c.heightOut * kFiltersOut);
    for (int32_t row = 0; row < y.rows; ++row)
      for (int32_t col = 0; col < y.cols; ++col)
        y.at(row, col) = b.at(0, col % kFiltersOut);
    forEachRead(c, [&](int32_t row, int32_t height, int32_t o, int32_t inRow,
                       int32_t from) {
      for (int32_t f = 0; f < kFiltersOut; ++f)
        for (int32_t i = 0; i < kFiltersIn; ++i)
          y.at(row, height * kFiltersOut + f) +=
              w.at(f, o * kFiltersIn + i) * x.at(inRow, from * kFiltersIn + i);
    });
    const Matrix actual = backprop(trialOf(c), x, derivOf(c)).output;
    expectNear(actual, {y.values.begin(), y.values.end()});
  }
}

TEST(TimeHeightConvolutionTest, InputDerivativeIsTransposed) {
  for (const Case &c : kCases) {
    SCOPED_TRACE(c.name);
    const Matrix x = inputOf(), w = weightsOf(c), dy = derivOf(c);
    Matrix dx(x.rows, x.cols, 1); // is added to
    forEachRead(c, [&](int32_t row, int32_t height, int32_t o, int32_t inRow,
                       int32_t from) {
      for (int32_t f = 0; f < kFiltersOut; ++f)
        for (int32_t i = 0; i < kFiltersIn; ++i)
          dx.at(inRow, from * kFiltersIn + i) +=
              w.at(f, o * kFiltersIn + i) *
              dy.at(row, height * kFiltersOut + f);
    });
    BackpropTrial trial = trialOf(c);
    trial.initialDeriv = 1;
    expectNear(backprop(trial, x, dy).inDeriv,
               {dx.values.begin(), dx.values.end()});
  }
}

TEST(TimeHeightConvolutionTest, GradientIsPlain) {
  for (const Case &c : kCases) {
    SCOPED_TRACE(c.name);
    const Matrix x = inputOf(), dy = derivOf(c);
    const BackpropResult result = backprop(trialOf(c), x, dy);
    expectUpdate(c, *result.gradient, gradientOf(c, x, dy), 1);
  }
}

/// Preconditions \p x; gives its scale.
double precondition(Preconditioner &preconditioner, Matrix &x) {
  return preconditioner.precondition(
      MatrixView(x.values.data(), x.rows, x.cols, x.cols));
}

Matrix transposed(const Matrix &matrix) {
  Matrix result(matrix.cols, matrix.rows);
  for (int32_t r = 0; r < matrix.rows; ++r)
    for (int32_t c = 0; c < matrix.cols; ++c)
      result.at(c, r) = matrix.at(r, c);
  return result;
}

TEST(TimeHeightConvolutionTest, UpdatePreconditionsTheGradient) {
  constexpr float kRate = 0.25;
  for (const Case &c : kCases) {
    SCOPED_TRACE(c.name);
    const Matrix x = inputOf(), dy = derivOf(c);
    BackpropTrial trial = trialOf(c);
    trial.prepare = [&](Model &, Model &delta) {
      delta.state(0).isGradient = false;
      delta.state(0).learningRate = kRate;
    };
    const BackpropResult result = backprop(trial, x, dy);
    const auto &options = result.model->component(0).preconditioners();
    ASSERT_EQ(options.size(), 2u);
    EXPECT_EQ(options[0].rank, std::min(80, (c.cols() + 2) / 2));
    EXPECT_EQ(options[1].rank, 2);
    for (const NaturalGradientOptions &side : options) {
      EXPECT_EQ(side.numMinibatchesHistory, 4);
      EXPECT_EQ(side.updatePeriod, 1);
    }
    NaturalGradient forRows(options[0]), forCols(options[1]);
    Matrix gradient = gradientOf(c, x, dy);
    double scale = kRate * precondition(forRows, gradient);
    Matrix cols = transposed(gradient);
    scale *= precondition(forCols, cols);
    expectUpdate(c, *result.gradient, transposed(cols), scale);
  }
}

TEST(TimeHeightConvolutionTest, SkipsLearningRateZero) {
  BackpropTrial trial = trialOf(kCases[0]);
  trial.prepare = [&](Model &, Model &delta) {
    delta.state(0).isGradient = false;
    delta.state(0).learningRate = 0;
  };
  const BackpropResult result = backprop(trial, inputOf(), derivOf(kCases[0]));
  for (float value : parameterOf(*result.gradient, 0).values)
    EXPECT_EQ(value, 0);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
