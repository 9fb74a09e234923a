//===- DoubleLoopsTest.cpp - Loops of the i-vector extractor --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ivector/DoubleLoops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace nnet3::rt;

namespace {
/// Random numbers between -1 and 1.
class DoubleLoopsTest : public testing::Test {
protected:
  template <typename T> std::vector<T> draw(int64_t count) {
    std::vector<T> values(count);
    for (T &value : values)
      value = std::uniform_real_distribution<T>(-1, 1)(generator);
    return values;
  }

  std::mt19937 generator{1};
};
} // namespace

TEST_F(DoubleLoopsTest, AddScaledRows) {
  for (int64_t count : {1, 15, 16, 100, 511, 512, 513, 1100})
    for (int64_t numRows : {0, 1, 3, 4, 9, 50}) {
      const std::vector<float> table = draw<float>(count * numRows);
      const std::vector<double> scales = draw<double>(numRows);
      std::vector<const float *> rows;
      for (int64_t r = 0; r < numRows; ++r)
        rows.push_back(table.data() + r * count);
      std::vector<double> sums = draw<double>(count), expected = sums;
      addScaledRows(count, numRows, scales.data(), rows.data(), sums.data());
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t r = 0; r < numRows; ++r)
          expected[i] += scales[r] * rows[r][i];
        ASSERT_NEAR(sums[i], expected[i], 1e-13) << numRows << " rows, " << i;
      }
    }
}

TEST_F(DoubleLoopsTest, MultiplySymmetric) {
  for (int64_t dim : {1, 3, 4, 7, 8, 99, 100}) {
    const std::vector<double> triangle = draw<double>(dim * (dim + 1) / 2);
    const std::vector<double> x = draw<double>(dim);
    std::vector<double> out(dim, -1);
    multiplySymmetric(dim, triangle.data(), x.data(), out.data());
    for (int64_t r = 0; r < dim; ++r) {
      double expected = 0;
      for (int64_t c = 0; c < dim; ++c) {
        const int64_t row = std::max(r, c), col = std::min(r, c);
        expected += triangle[row * (row + 1) / 2 + col] * x[c];
      }
      ASSERT_NEAR(out[r], expected, 1e-13) << dim << " rows, " << r;
    }
  }
}
