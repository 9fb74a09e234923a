//===- DemoNetwork.cpp - The network of the demo library ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DemoNetwork.h"

#include <cmath>

namespace nnet3 {
namespace rt {
namespace test {

static constexpr int32_t kIn = 4, kHidden = 5, kOut = 2, kRows = 3;
static constexpr double kEpsilon = 0.5;

static Matrix affineWeights() { return randomMatrix(kHidden, kIn, 1, 1); }
static Matrix affineBias() { return randomMatrix(1, kHidden, 2, 1); }
static Matrix tdnnWeights() { return randomMatrix(kOut, 2 * kHidden, 3, 1); }
static Matrix tdnnBias() { return randomMatrix(1, kOut, 4, 1); }

LibraryWriter demoNetwork() {
  LibraryWriter writer;
  writer.producer = "by hand";
  writer.network = "demo";
  writer.codeWeights = affineWeights().values;
  writer.codeWeights.resize(32); // the bias is aligned to 64 bytes
  const Matrix bias = affineBias();
  writer.codeWeights.insert(writer.codeWeights.end(), bias.values.begin(),
                            bias.values.end());
  writer.components = {
      {"tanh", "TanhComponent", {{"dim", kHidden}}},
      {"norm",
       "BatchNormComponent",
       {{"dim", kHidden}, {"epsilon", kEpsilon}, {"test_mode", false}}},
      {"tdnn",
       "TdnnComponent",
       {{"input_dim", kHidden},
        {"output_dim", kOut},
        {"time_offsets", std::vector<int64_t>{0, 1}},
        {"linear_params", tensor(tdnnWeights())},
        {"bias_params", vectorTensor(tdnnBias().values)}}}};
  writer.calls = {
      {0, kRows, kHidden, kRows, kHidden, {}, 0},
      {1, kRows, kHidden, kRows, kHidden, {}, 1},
      {2,
       kRows,
       kHidden,
       kRows - 1,
       kOut,
       {{"row_stride", 1}, {"row_offsets", std::vector<int64_t>{0, 1}}},
       2},
      {0, 1, kHidden, 1, kHidden, {}, 0}};
  writer.requests = {
      {"chunk",
       80,
       {{"input", kRows, kIn, 0, kIn, {0, 0, 0}, {-1, 0, 1}, {}}},
       {{"hidden", kRows, kHidden, 16, 8, {0, 0, 0}, {-1, 0, 1}, {0, 0, 0}},
        {"output", kRows - 1, kOut, 64, kOut, {0, 0}, {0, 1}, {}}}},
      {"single",
       32,
       {{"input", 1, kIn, 0, kIn, {}, {}, {}}},
       {{"hidden", 1, kHidden, 16, kHidden, {}, {}, {}}}}};
  return writer;
}

/// in W^T + b for the rows of \p in, in double precision.
static Matrix affine(const Matrix &in, const Matrix &weights,
                     const Matrix &bias) {
  Matrix out(in.rows, weights.rows);
  for (int32_t r = 0; r < out.rows; ++r)
    for (int32_t c = 0; c < out.cols; ++c) {
      double sum = bias.at(0, c);
      for (int32_t i = 0; i < in.cols; ++i)
        sum += double(in.at(r, i)) * weights.at(c, i);
      out.at(r, c) = static_cast<float>(sum);
    }
  return out;
}

Matrix demoHidden(const Matrix &input) {
  Matrix hidden = affine(input, affineWeights(), affineBias());
  for (float &value : hidden.values)
    value = std::tanh(value);
  return hidden;
}

Matrix demoOutput(const Matrix &input) {
  Matrix x = demoHidden(input);
  for (int32_t c = 0; c < x.cols; ++c) {
    double sum = 0, sumsq = 0;
    for (int32_t r = 0; r < x.rows; ++r) {
      sum += x.at(r, c);
      sumsq += double(x.at(r, c)) * x.at(r, c);
    }
    const double mean = sum / x.rows, variance = sumsq / x.rows - mean * mean;
    for (int32_t r = 0; r < x.rows; ++r)
      x.at(r, c) = static_cast<float>((x.at(r, c) - mean) /
                                      std::sqrt(variance + kEpsilon));
  }
  Matrix joined(x.rows - 1, 2 * x.cols);
  for (int32_t r = 0; r < joined.rows; ++r)
    for (int32_t c = 0; c < joined.cols; ++c)
      joined.at(r, c) = x.at(r + c / x.cols, c % x.cols);
  return affine(joined, tdnnWeights(), tdnnBias());
}

} // namespace test
} // namespace rt
} // namespace nnet3
