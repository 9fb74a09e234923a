//===- GemmTest.cpp - Matrix products against double precision ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/Gemm.h"
#include "test/support/TestMatrix.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Element = std::function<float(int32_t, int32_t)>;

/// beta * initial + alpha * sum over i of a(r, i) b(i, c).
std::vector<double> product(const Matrix &initial, int32_t inner, Element a,
                            Element b, double alpha, double beta) {
  std::vector<double> out;
  for (int32_t r = 0; r < initial.rows; ++r)
    for (int32_t c = 0; c < initial.cols; ++c) {
      double sum = 0;
      for (int32_t i = 0; i < inner; ++i)
        sum += double(a(r, i)) * b(i, c);
      out.push_back(alpha * sum + (beta == 0 ? 0 : beta * initial.at(r, c)));
    }
  return out;
}

/// The columns of a matrix but the first two, so that the stride is larger.
MatrixView inner(Matrix &matrix) {
  return MatrixView(matrix.values.data() + 2, matrix.rows, matrix.cols - 2,
                    matrix.cols);
}

Matrix copy(ConstMatrixView view) {
  Matrix matrix(view.rows, view.cols);
  for (int32_t r = 0; r < view.rows; ++r)
    std::copy_n(view.row(r), view.cols, &matrix.at(r, 0));
  return matrix;
}

struct Sizes {
  int32_t rows, cols, inner;
};

class GemmTest : public testing::TestWithParam<Sizes> {
protected:
  /// Rounding adds up with the terms of a sum.
  void expectProduct(const Matrix &actual,
                     const std::vector<double> &expected) const {
    expectNear(actual, expected, 2e-7 * (50 + sizes.inner));
  }

  Sizes sizes = GetParam();
};

TEST_P(GemmTest, NT) {
  Matrix a = randomMatrix(sizes.rows, sizes.inner + 2, 7);
  Matrix b = randomMatrix(sizes.cols, sizes.inner + 2, 8);
  const Matrix x = copy(inner(a)), y = copy(inner(b));
  for (float beta : {0.0f, 1.0f, 0.5f}) {
    Matrix out = randomMatrix(sizes.rows, sizes.cols + 2, 9);
    if (beta == 0)
      out = Matrix(sizes.rows, sizes.cols + 2, kNan);
    const auto expected = product(
        copy(inner(out)), sizes.inner, [&](int r, int i) { return x.at(r, i); },
        [&](int i, int c) { return y.at(c, i); }, 1, beta);
    gemmNT(inner(a), inner(b), beta, inner(out));
    expectProduct(copy(inner(out)), expected);
  }
}

TEST_P(GemmTest, NN) {
  Matrix a = randomMatrix(sizes.rows, sizes.inner + 2, 1);
  Matrix b = randomMatrix(sizes.inner, sizes.cols + 2, 2);
  const Matrix x = copy(inner(a)), y = copy(inner(b));
  for (float beta : {0.0f, 1.0f, 0.5f}) {
    Matrix out = randomMatrix(sizes.rows, sizes.cols + 2, 3);
    if (beta == 0)
      out = Matrix(sizes.rows, sizes.cols + 2, kNan);
    const auto expected = product(
        copy(inner(out)), sizes.inner, [&](int r, int i) { return x.at(r, i); },
        [&](int i, int c) { return y.at(i, c); }, -0.75, beta);
    gemmNN(inner(a), inner(b), -0.75f, beta, inner(out));
    expectProduct(copy(inner(out)), expected);
  }
}

TEST_P(GemmTest, TN) {
  Matrix a = randomMatrix(sizes.inner, sizes.rows + 2, 4);
  Matrix b = randomMatrix(sizes.inner, sizes.cols + 2, 5);
  Matrix out = randomMatrix(sizes.rows, sizes.cols + 2, 6);
  const Matrix x = copy(inner(a)), y = copy(inner(b));
  const auto expected = product(
      copy(inner(out)), sizes.inner, [&](int r, int i) { return x.at(i, r); },
      [&](int i, int c) { return y.at(i, c); }, 1.5, 1);
  gemmTN(inner(a), inner(b), 1.5f, inner(out));
  expectProduct(copy(inner(out)), expected);
}

INSTANTIATE_TEST_SUITE_P(Sizes, GemmTest,
                         testing::Values(Sizes{1, 1, 1}, Sizes{1, 17, 5},
                                         Sizes{3, 20, 33}, Sizes{4, 5, 1},
                                         Sizes{5, 1, 2}, Sizes{19, 35, 3},
                                         Sizes{40, 33, 50}, Sizes{2, 15, 800},
                                         Sizes{7, 26, 1100}));

} // namespace
