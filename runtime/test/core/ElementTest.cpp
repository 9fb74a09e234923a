//===- ElementTest.cpp - Per-element and rearranging components -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/ProgramWriter.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

Trial trialFor(const std::string &type, Attrs attrs, const Matrix &x,
               int32_t outCols) {
  Trial trial;
  trial.type = type;
  trial.attrs = std::move(attrs);
  trial.outRows = x.rows;
  trial.outCols = outCols;
  return trial;
}

TEST(PerElementTest, Scales) {
  for (int32_t dim : {1, 3, 17}) {
    const Matrix x = randomMatrix(5, dim, 20), s = randomMatrix(1, dim, 21);
    std::vector<double> expected;
    for (size_t i = 0; i < x.values.size(); ++i)
      expected.push_back(double(x.values[i]) * s.values[i % size_t(dim)]);
    for (const char *type : {"FixedScaleComponent", "PerElementScaleComponent",
                             "NaturalGradientPerElementScaleComponent"}) {
      Trial trial = trialFor(
          type, {{"dim", dim}, {"scales", vectorTensor(s.values)}}, x, dim);
      expectNear(propagate(trial, x), expected, 1e-6);
      trial.inPlace = true;
      expectNear(propagate(trial, x), expected, 1e-6);
    }
  }
}

TEST(PerElementTest, Offsets) {
  for (int32_t blocks : {1, 3}) {
    for (int32_t blockDim : {1, 3, 17}) {
      const int32_t dim = blocks * blockDim;
      const Matrix x = randomMatrix(5, dim, 22);
      const Matrix b = randomMatrix(1, blockDim, 23);
      std::vector<double> expected;
      for (size_t i = 0; i < x.values.size(); ++i)
        expected.push_back(double(x.values[i]) +
                           b.values[i % size_t(blockDim)]);
      Trial trial = trialFor("PerElementOffsetComponent",
                             {{"dim", dim},
                              {"block_dim", blockDim},
                              {"offsets", vectorTensor(b.values)}},
                             x, dim);
      expectNear(propagate(trial, x), expected, 1e-6);
      trial.inPlace = true;
      expectNear(propagate(trial, x), expected, 1e-6);
      if (blocks > 1)
        continue;
      trial.type = "FixedBiasComponent";
      trial.attrs = {{"dim", dim}, {"bias", vectorTensor(b.values)}};
      expectNear(propagate(trial, x), expected, 1e-6);
    }
  }
}

TEST(PerElementTest, ScaleAndOffset) {
  for (int32_t blocks : {1, 2}) {
    const int32_t blockDim = 17, dim = blocks * blockDim;
    const Matrix x = randomMatrix(5, dim, 24, 100.0f);
    Matrix s = randomMatrix(1, blockDim, 25), o = randomMatrix(1, blockDim, 26);
    s.values[0] = 0; // raised to 1e-4
    s.values[1] = -1e-6f;
    std::vector<double> expected;
    for (size_t i = 0; i < x.values.size(); ++i) {
      const size_t c = i % size_t(blockDim);
      const double scale = c == 0 ? 1e-4 : c == 1 ? -1e-4 : s.values[c];
      expected.push_back(x.values[i] * scale + o.values[c]);
    }
    Trial trial = trialFor("ScaleAndOffsetComponent",
                           {{"dim", dim},
                            {"block_dim", blockDim},
                            {"scales", vectorTensor(s.values)},
                            {"offsets", vectorTensor(o.values)}},
                           x, dim);
    expectNear(propagate(trial, x), expected, 1e-6);
    trial.inPlace = true;
    expectNear(propagate(trial, x), expected, 1e-6);
  }
}

TEST(PerElementTest, BackpropTruncationScales) {
  const Matrix x = randomMatrix(4, 17, 27);
  Trial trial = trialFor("BackpropTruncationComponent",
                         {{"dim", 17}, {"scale", 0.25}}, x, 17);
  trial.precomputed = {{"first_time", 0},
                       {"times", std::vector<int64_t>{0, 1, 2, 3}}};
  std::vector<double> expected;
  for (float value : x.values)
    expected.push_back(0.25 * value);
  expectNear(propagate(trial, x), expected, 1e-7);
  trial.inPlace = true;
  expectNear(propagate(trial, x), expected, 1e-7);
}

TEST(RearrangeTest, ElementwiseProduct) {
  for (int32_t dim : {1, 3, 17}) {
    for (int32_t blocks : {2, 3}) {
      const Matrix x = randomMatrix(5, dim * blocks, 28);
      std::vector<double> expected;
      for (int32_t r = 0; r < x.rows; ++r)
        for (int32_t c = 0; c < dim; ++c) {
          double product = 1;
          for (int32_t b = 0; b < blocks; ++b)
            product *= x.at(r, b * dim + c);
          expected.push_back(product);
        }
      expectNear(
          propagate(trialFor("ElementwiseProductComponent",
                             {{"input_dim", dim * blocks}, {"output_dim", dim}},
                             x, dim),
                    x),
          expected, 1e-6);
    }
  }
}

TEST(RearrangeTest, SumBlockAdds) {
  for (int32_t dim : {1, 3, 17}) {
    const Matrix x = randomMatrix(5, dim * 4, 29);
    std::vector<double> expected;
    for (int32_t r = 0; r < x.rows; ++r)
      for (int32_t c = 0; c < dim; ++c) {
        double sum = 0;
        for (int32_t b = 0; b < 4; ++b)
          sum += x.at(r, b * dim + c);
        expected.push_back(3 + 0.3 * sum);
      }
    Trial trial = trialFor(
        "SumBlockComponent",
        {{"input_dim", dim * 4}, {"output_dim", dim}, {"scale", 0.3}}, x, dim);
    trial.initial = 3;
    expectNear(propagate(trial, x), expected, 1e-6);
  }
}

TEST(RearrangeTest, SumGroup) {
  const std::vector<int64_t> sizes = {1, 5, 3, 17};
  const Matrix x = randomMatrix(5, 26, 30);
  std::vector<double> expected;
  for (int32_t r = 0; r < x.rows; ++r) {
    int32_t c = 0;
    for (int64_t size : sizes) {
      double sum = 0;
      for (int64_t i = 0; i < size; ++i)
        sum += x.at(r, c++);
      expected.push_back(sum);
    }
  }
  expectNear(
      propagate(trialFor("SumGroupComponent", {{"sizes", sizes}}, x, 4), x),
      expected, 1e-6);
}

TEST(RearrangeTest, Permute) {
  const std::vector<int64_t> map = {2, 0, 4, 1, 3};
  const Matrix x = randomMatrix(3, 5, 31);
  std::vector<double> expected;
  for (int32_t r = 0; r < x.rows; ++r)
    for (int64_t from : map)
      expected.push_back(x.at(r, int32_t(from)));
  expectNear(
      propagate(trialFor("PermuteComponent", {{"column_map", map}}, x, 5), x),
      expected, 0);
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(LstmTest, WithAndWithoutDropout) {
  for (int32_t cell : {1, 3, 17}) {
    for (bool useDropout : {false, true}) {
      const Matrix x =
          randomMatrix(5, 5 * cell + (useDropout ? 3 : 0), 32, 4.0f);
      const Matrix w = randomMatrix(3, cell, 33);
      std::vector<double> expected(size_t(x.rows) * 2 * cell);
      for (int32_t r = 0; r < x.rows; ++r)
        for (int32_t j = 0; j < cell; ++j) {
          auto part = [&](int32_t p) { return double(x.at(r, p * cell + j)); };
          auto scale = [&](int32_t p) {
            return useDropout ? double(x.at(r, 5 * cell + p)) : 1.0;
          };
          const double prev = part(4);
          const double i = sigmoid(part(0) + w.at(0, j) * prev);
          const double f = sigmoid(part(1) + w.at(1, j) * prev);
          const double c =
              f * scale(1) * prev + i * scale(0) * std::tanh(part(2));
          const double o = sigmoid(part(3) + w.at(2, j) * c);
          expected[size_t(r) * 2 * cell + j] = c;
          expected[size_t(r) * 2 * cell + cell + j] =
              o * scale(2) * std::tanh(c);
        }
      expectNear(propagate(trialFor("LstmNonlinearityComponent",
                                    {{"cell_dim", cell},
                                     {"use_dropout", useDropout},
                                     {"params", tensor(w)}},
                                    x, 2 * cell),
                           x),
                 expected, 2e-6);
    }
  }
}

} // namespace
