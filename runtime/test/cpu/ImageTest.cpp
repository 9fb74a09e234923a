//===- ImageTest.cpp - Convolution, pooling and norms within a row --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/NumericDerivatives.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

constexpr int32_t kX = 5, kY = 4, kZ = 3, kFiltX = 3, kFiltY = 2, kStepX = 2,
                  kStepY = 1, kFilters = 4, kPlacesX = 2, kPlacesY = 3;

BackpropTrial convolutionTrial(const std::string &order, int32_t rows) {
  BackpropTrial trial;
  trial.type = "ConvolutionComponent";
  trial.attrs = {
      {"input_x_dim", kX},
      {"input_y_dim", kY},
      {"input_z_dim", kZ},
      {"filt_x_dim", kFiltX},
      {"filt_y_dim", kFiltY},
      {"filt_x_step", kStepX},
      {"filt_y_step", kStepY},
      {"num_filters", kFilters},
      {"input_vectorization_order", order},
      {"filter_params",
       tensor(randomMatrix(kFilters, kFiltX * kFiltY * kZ, 1, 0.5f))},
      {"bias_params", vectorTensor(randomMatrix(1, kFilters, 2).values)}};
  trial.outRows = rows;
  trial.outCols = kPlacesX * kPlacesY * kFilters;
  return trial;
}

/// Column of a pixel.
int32_t pixel(bool zFastest, int32_t x, int32_t y, int32_t z) {
  return kY * kZ * x + (zFastest ? kZ * y + z : kY * z + y);
}

double convolved(const Matrix &in, int32_t row, bool zFastest, int32_t px,
                 int32_t py, int32_t filter) {
  const Matrix w = randomMatrix(kFilters, kFiltX * kFiltY * kZ, 1, 0.5f);
  double sum = randomMatrix(1, kFilters, 2).at(0, filter);
  for (int32_t x = 0; x < kFiltX; ++x)
    for (int32_t y = 0; y < kFiltY; ++y)
      for (int32_t z = 0; z < kZ; ++z)
        sum += double(w.at(filter, (x * kFiltY + y) * kZ + z)) *
               in.at(row, pixel(zFastest, px * kStepX + x, py * kStepY + y, z));
  return sum;
}

TEST(ConvolutionTest, IsTheDefinition) {
  for (bool zFastest : {true, false}) {
    const Matrix x = randomMatrix(7, kX * kY * kZ, 3);
    std::vector<double> expected;
    for (int32_t r = 0; r < 7; ++r)
      for (int32_t px = 0; px < kPlacesX; ++px)
        for (int32_t py = 0; py < kPlacesY; ++py)
          for (int32_t filter = 0; filter < kFilters; ++filter)
            expected.push_back(convolved(x, r, zFastest, px, py, filter));
    expectNear(outputOf(convolutionTrial(zFastest ? "zyx" : "yzx", 7), x),
               expected);
  }
}

TEST(ConvolutionTest, Derivatives) {
  for (const char *order : {"zyx", "yzx"})
    expectNumericDerivatives(convolutionTrial(order, 3),
                             randomMatrix(3, kX * kY * kZ, 4));
}

TEST(ConvolutionTest, WrongAttributesAreRefused) {
  const auto errorWith = [](size_t index, const Attr &attr) {
    BackpropTrial trial = convolutionTrial("zyx", 1);
    trial.attrs[index] = attr;
    ProgramWriter writer;
    writer.component("c", trial.type, trial.attrs);
    return loadError(writer);
  };
  const std::string who = "component 'c' of type ConvolutionComponent ";
  EXPECT_EQ(errorWith(4, {"filt_y_dim", 5}),
            who + "expects steps from the begin to the end of input_y_dim 4, "
                  "but got filt_y_dim 5 and filt_y_step 1");
  EXPECT_EQ(errorWith(2, {"input_z_dim", 1 << 30}),
            who + "has images of 2^31 pixels or more");
  EXPECT_EQ(errorWith(8, {"input_vectorization_order", std::string("xyz")}),
            who + "expects attribute 'input_vectorization_order' to be one of "
                  "the words it may be");
}

//===----------------------------------------------------------------------===//
// Maxpooling
//===----------------------------------------------------------------------===//

/// Images of 3 x 4 x 5 pixels; pools overlap along x and z.
BackpropTrial poolTrial(int32_t rows) {
  BackpropTrial trial;
  trial.type = "MaxpoolingComponent";
  trial.attrs = {{"input_x_dim", 3}, {"input_y_dim", 4}, {"input_z_dim", 5},
                 {"pool_x_size", 2}, {"pool_y_size", 2}, {"pool_z_size", 3},
                 {"pool_x_step", 1}, {"pool_y_step", 2}, {"pool_z_step", 2}};
  trial.outRows = rows;
  trial.outCols = 2 * 2 * 2;
  return trial;
}

/// Values at least 0.25 apart, in no order.
Matrix apart(int32_t rows, int32_t cols) {
  Matrix matrix(rows, cols);
  for (int32_t r = 0; r < rows; ++r)
    for (int32_t c = 0; c < cols; ++c)
      matrix.at(r, c) = 0.25f * static_cast<float>((c * 7 + r * 11) % cols) - 5;
  return matrix;
}

TEST(MaxpoolingTest, IsTheDefinition) {
  const Matrix x = apart(3, 60);
  std::vector<double> expected;
  for (int32_t r = 0; r < 3; ++r)
    for (int32_t px = 0; px < 2; ++px)
      for (int32_t py = 0; py < 2; ++py)
        for (int32_t pz = 0; pz < 2; ++pz) {
          double most = -1e20;
          for (int32_t i = 0; i < 2 * 2 * 3; ++i)
            most = std::max<double>(
                most, x.at(r, ((px + i / 6) * 4 + py * 2 + i / 3 % 2) * 5 +
                                  pz * 2 + i % 3));
          expected.push_back(most);
        }
  expectNear(outputOf(poolTrial(3), x), expected, 0);
  expectNumericDerivatives(poolTrial(3), x);
}

TEST(MaxpoolingTest, AllOfTheLargestGetTheDerivative) {
  BackpropTrial trial;
  trial.type = "MaxpoolingComponent";
  trial.attrs = {{"input_x_dim", 4}, {"input_y_dim", 1}, {"input_z_dim", 1},
                 {"pool_x_size", 4}, {"pool_y_size", 1}, {"pool_z_size", 1},
                 {"pool_x_step", 1}, {"pool_y_step", 1}, {"pool_z_step", 1}};
  trial.outRows = trial.outCols = 1;
  trial.initialDeriv = 1; // is added to
  const BackpropResult result =
      backprop(trial, matrixOf(1, {2, -1, 2, 0}), matrixOf(1, {3}));
  EXPECT_EQ(result.inDeriv.values, std::vector<float>({4, 1, 4, 1}));
}

// Nothing is below what the maximum begins with.
TEST(MaxpoolingTest, IsBounded) {
  EXPECT_EQ(outputOf(poolTrial(1), Matrix(1, 60, -1e30f)).values,
            Matrix(1, 8, -1e20f).values);
}

//===----------------------------------------------------------------------===//
// Pnorm
//===----------------------------------------------------------------------===//

BackpropTrial pnormTrial(const Matrix &x, int32_t outCols) {
  BackpropTrial trial;
  trial.type = "PnormComponent";
  trial.attrs = {{"input_dim", x.cols}, {"output_dim", outCols}};
  trial.outRows = x.rows;
  trial.outCols = outCols;
  return trial;
}

TEST(PnormTest, IsTheDefinition) {
  const Matrix x = randomMatrix(4, 6, 5);
  std::vector<double> expected;
  for (size_t i = 0; i < x.values.size(); i += 3)
    expected.push_back(std::sqrt(double(x.values[i]) * x.values[i] +
                                 double(x.values[i + 1]) * x.values[i + 1] +
                                 double(x.values[i + 2]) * x.values[i + 2]));
  expectNear(outputOf(pnormTrial(x, 2), x), expected);
  expectNumericDerivatives(pnormTrial(x, 2), x, 5e-3);
}

TEST(PnormTest, ZeroHasNoDerivative) {
  const Matrix x = matrixOf(1, {0, 0, 3, 4});
  const BackpropResult result =
      backprop(pnormTrial(x, 2), x, matrixOf(1, {5, 10}));
  expectNear(result.inDeriv, {0, 0, 6, 8});
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
