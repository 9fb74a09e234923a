//===- AffineTest.cpp - Affine maps against double precision --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/ProgramWriter.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// initial + x W^T + bias, row by row.
std::vector<double> affine(const Matrix &x, const Matrix &w,
                           const std::vector<float> &bias, double initial) {
  std::vector<double> y;
  for (int32_t r = 0; r < x.rows; ++r)
    for (int32_t o = 0; o < w.rows; ++o) {
      double sum = bias.empty() ? initial : bias[o];
      for (int32_t i = 0; i < x.cols; ++i)
        sum += double(x.at(r, i)) * w.at(o, i);
      y.push_back(sum);
    }
  return y;
}

struct Shape {
  int32_t rows, in, out;
};

class AffineTest : public testing::TestWithParam<Shape> {};

TEST_P(AffineTest, WithBias) {
  const auto [rows, in, out] = GetParam();
  const Matrix x = randomMatrix(rows, in, 1);
  const Matrix w = randomMatrix(out, in, 2);
  const Matrix b = randomMatrix(1, out, 3);
  for (const char *type : {"AffineComponent", "NaturalGradientAffineComponent",
                           "FixedAffineComponent"}) {
    Trial trial;
    trial.type = type;
    trial.attrs = {{"input_dim", in},
                   {"output_dim", out},
                   {"linear_params", tensor(w)},
                   {"bias_params", vectorTensor(b.values)}};
    trial.outRows = rows;
    trial.outCols = out;
    trial.initial = 5; // overwritten
    expectNear(propagate(trial, x), affine(x, w, b.values, 0));
  }
}

TEST_P(AffineTest, LinearAdds) {
  const auto [rows, in, out] = GetParam();
  const Matrix x = randomMatrix(rows, in, 4);
  const Matrix w = randomMatrix(out, in, 5);
  Trial trial;
  trial.type = "LinearComponent";
  trial.attrs = {{"input_dim", in}, {"output_dim", out}, {"params", tensor(w)}};
  trial.outRows = rows;
  trial.outCols = out;
  trial.initial = 0.5;
  expectNear(propagate(trial, x), affine(x, w, {}, 0.5));
}

INSTANTIATE_TEST_SUITE_P(Shapes, AffineTest,
                         testing::Values(Shape{1, 1, 1}, Shape{1, 17, 3},
                                         Shape{3, 3, 17}, Shape{5, 17, 1},
                                         Shape{17, 40, 33}));

/// y[r] = bias + sum_i W_i x[offsets[i] + r * stride].
std::vector<double> tdnn(const Matrix &x, const Matrix &w,
                         const std::vector<float> &bias, double initial,
                         const std::vector<int64_t> &offsets, int32_t stride,
                         int32_t outRows) {
  std::vector<double> y;
  for (int32_t r = 0; r < outRows; ++r)
    for (int32_t o = 0; o < w.rows; ++o) {
      double sum = bias.empty() ? initial : bias[o];
      for (size_t k = 0; k < offsets.size(); ++k)
        for (int32_t i = 0; i < x.cols; ++i)
          sum += double(x.at(int32_t(offsets[k]) + r * stride, i)) *
                 w.at(o, int32_t(k) * x.cols + i);
      y.push_back(sum);
    }
  return y;
}

Trial tdnnTrial(const Matrix &w, const std::vector<float> &bias, int32_t in,
                int32_t stride, int32_t outRows) {
  Trial trial;
  trial.type = "TdnnComponent";
  trial.attrs = {{"input_dim", in},
                 {"output_dim", w.rows},
                 {"time_offsets", std::vector<int64_t>{-3, 0, 3}},
                 {"linear_params", tensor(w)}};
  if (!bias.empty())
    trial.attrs.push_back({"bias_params", vectorTensor(bias)});
  else
    trial.attrs.push_back({"use_bias", false});
  trial.precomputed = {{"row_stride", stride},
                       {"row_offsets", std::vector<int64_t>{0, 4, 2}}};
  trial.outRows = outRows;
  trial.outCols = w.rows;
  return trial;
}

TEST(TdnnTest, OffsetsAndStride) {
  for (int32_t in : {1, 3, 17}) {
    for (int32_t stride : {1, 2}) {
      for (int32_t outRows : {1, 5}) {
        const Matrix x = randomMatrix(stride * 4 + 5, in, 6);
        const Matrix w = randomMatrix(7, 3 * in, 7);
        const Matrix b = randomMatrix(1, 7, 8);
        expectNear(propagate(tdnnTrial(w, b.values, in, stride, outRows), x),
                   tdnn(x, w, b.values, 0, {0, 4, 2}, stride, outRows));
      }
    }
  }
}

TEST(TdnnTest, WithoutBiasAdds) {
  const Matrix x = randomMatrix(9, 3, 9);
  const Matrix w = randomMatrix(4, 9, 10);
  Trial trial = tdnnTrial(w, {}, 3, 1, 5);
  trial.initial = -2;
  expectNear(propagate(trial, x), tdnn(x, w, {}, -2, {0, 4, 2}, 1, 5));
}

/// Returns the error of loading a Tdnn with these precomputed indexes and 6
/// input rows.
std::string tdnnError(const Attrs &precomputed, int32_t outRows) {
  ProgramWriter writer;
  const int32_t component =
      writer.component("t", "TdnnComponent",
                       {{"input_dim", 2},
                        {"output_dim", 3},
                        {"time_offsets", std::vector<int64_t>{0, 1}},
                        {"use_bias", false},
                        {"linear_params", tensor(randomMatrix(3, 4, 1))}});
  const int32_t in = writer.input("input", 6, 2);
  const int32_t out = writer.zeroed(outRows, 3);
  writer.propagate(component, in, out,
                   precomputed.empty() ? -1 : writer.precomputed(precomputed));
  writer.output("output", out);
  return loadError(writer);
}

TEST(TdnnTest, RefusesRowsOutside) {
  auto indexes = [](int64_t stride, std::vector<int64_t> offsets) {
    return Attrs{{"row_stride", int(stride)}, {"row_offsets", offsets}};
  };
  EXPECT_EQ(tdnnError(indexes(1, {0, 1}), 5), "");
  EXPECT_NE(tdnnError(indexes(1, {0, 2}), 5).find("expects row offsets inside"),
            std::string::npos);
  EXPECT_NE(tdnnError(indexes(2, {0, 1}), 5).find("expects row offsets inside"),
            std::string::npos);
  EXPECT_NE(tdnnError(indexes(1, {0, -1}), 2).find("inside of 6 input rows"),
            std::string::npos);
  EXPECT_NE(tdnnError(indexes(1, {0}), 2).find("expects 2 row offsets"),
            std::string::npos);
  EXPECT_NE(tdnnError(indexes(0, {0, 1}), 2).find("'row_stride' of at least 1"),
            std::string::npos);
  EXPECT_NE(tdnnError({}, 2).find("component 't' of type TdnnComponent needs "
                                  "precomputed indexes"),
            std::string::npos);
}

} // namespace
