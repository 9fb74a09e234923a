//===- OrthonormalRowsTest.cpp - Gram-Schmidt on rows ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "train/OrthonormalRows.h"
#include "test/support/ProgramWriter.h"

#include <gtest/gtest.h>

#include <limits>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

Matrix orthonormal(Matrix x) {
  std::vector<float> scratch(x.rows);
  orthonormalizeRows(MatrixView(x.values.data(), x.rows, x.cols, x.cols),
                     scratch.data());
  return x;
}

double dot(const Matrix &x, int32_t r, const Matrix &y, int32_t s) {
  double sum = 0;
  for (int32_t c = 0; c < x.cols; ++c)
    sum += double(x.at(r, c)) * y.at(s, c);
  return sum;
}

void expectOrthonormal(const Matrix &x) {
  for (int32_t r = 0; r < x.rows; ++r)
    for (int32_t s = 0; s <= r; ++s)
      ASSERT_NEAR(dot(x, r, x, s), r == s, 1e-6) << r << " " << s;
}

TEST(OrthonormalRowsTest, KeepsDirections) {
  const Matrix x = randomMatrix(7, 12, 1), y = orthonormal(x);
  expectOrthonormal(y);
  // Row r of x is a combination of the first r rows of y, with a positive last
  // coefficient.
  for (int32_t r = 0; r < x.rows; ++r) {
    EXPECT_GT(dot(x, r, y, r), 0);
    for (int32_t s = r + 1; s < x.rows; ++s)
      EXPECT_NEAR(dot(x, r, y, s), 0, 1e-5);
  }
}

TEST(OrthonormalRowsTest, NearlyParallelRows) {
  Matrix x = randomMatrix(3, 9, 2);
  for (int32_t c = 0; c < x.cols; ++c)
    x.at(1, c) = x.at(0, c) + 0.01f * x.at(1, c);
  expectOrthonormal(orthonormal(x));
}

TEST(OrthonormalRowsTest, ReplacesWhatHasNoDirection) {
  const float inf = std::numeric_limits<float>::infinity();
  Matrix x = randomMatrix(6, 6, 3);
  for (int32_t c = 0; c < x.cols; ++c) {
    x.at(1, c) = 0;
    x.at(2, c) = -3 * x.at(0, c);
    x.at(4, c) = 1e-42f;
  }
  x.at(3, 2) = inf;
  x.at(5, 5) = inf - inf;
  const Matrix y = orthonormal(x);
  expectOrthonormal(y);
  EXPECT_GT(dot(x, 0, y, 0), 0);
}

} // namespace
