//===- NarrowGemmTest.cpp - Matmuls with few columns ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/math/NarrowGemm.h"
#include "cpu/math/Transpose.h"
#include "test/support/TestMatrix.h"

#include <gtest/gtest.h>

#include <limits>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// A matrix with the stride of narrow matrices; NaN behind its columns.
struct Narrow {
  Narrow(int32_t rows, int32_t cols, uint32_t seed)
      : values(size_t(rows) * getNarrowStride(cols),
               std::numeric_limits<float>::quiet_NaN()),
        view(values.data(), rows, cols, getNarrowStride(cols)) {
    const Matrix random = randomMatrix(rows, cols, seed);
    for (int32_t r = 0; r < rows; ++r)
      for (int32_t c = 0; c < cols; ++c)
        view.row(r)[c] = random.at(r, c);
  }
  std::vector<float> values;
  MatrixView view;
};

struct Sizes {
  int32_t rows, inner;
};

class NarrowGemmTest : public testing::TestWithParam<int32_t> {
protected:
  /// Compares \p out with start + a b, where \p a and \p b return elements.
  template <typename A, typename B>
  void expectProduct(const Narrow &out, const Narrow &start, int32_t inner,
                     const A &a, const B &b) const {
    for (int32_t r = 0; r < out.view.rows; ++r)
      for (int32_t c = 0; c < out.view.cols; ++c) {
        double sum = start.view.row(r)[c];
        for (int32_t i = 0; i < inner; ++i)
          sum += double(a(r, i)) * b(i, c);
        ASSERT_NEAR(out.view.row(r)[c], sum, 2e-7 * (50 + inner))
            << "row " << r << ", column " << c;
      }
  }
  /// All remainders of tiles, and reductions in several blocks.
  static constexpr Sizes kSizes[] = {{1, 1},   {7, 3},    {59, 61},   {64, 130},
                                     {123, 9}, {3, 4097}, {10, 20000}};
};

TEST_P(NarrowGemmTest, NN) {
  const int32_t cols = GetParam();
  for (const Sizes &size : kSizes) {
    const Matrix a = randomMatrix(size.rows, size.inner + 3, 1);
    const Narrow b(size.inner, cols, 2), start(size.rows, cols, 3);
    Narrow out(size.rows, cols, 3);
    narrowNN({a.values.data() + 3, a.rows, size.inner, a.cols}, b.view,
             out.view);
    expectProduct(
        out, start, size.inner, [&](int r, int i) { return a.at(r, i + 3); },
        [&](int i, int c) { return b.view.row(i)[c]; });
  }
}

TEST_P(NarrowGemmTest, TN) {
  const int32_t cols = GetParam();
  for (const Sizes &size : kSizes) {
    const Matrix a = randomMatrix(size.inner, size.rows + 3, 4);
    const Narrow b(size.inner, cols, 5), start(size.rows, cols, 6);
    Narrow out(size.rows, cols, 6);
    narrowTN({a.values.data() + 3, a.rows, size.rows, a.cols}, b.view,
             out.view);
    expectProduct(
        out, start, size.inner, [&](int r, int i) { return a.at(i, r + 3); },
        [&](int i, int c) { return b.view.row(i)[c]; });
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, NarrowGemmTest,
                         testing::Values(1, 5, 11, 16, 20, 24, 30, 36, 40, 52,
                                         56, 64, 67, 71, 80, 88, 100, 173));

TEST(TransposeTest, MatricesWithStrides) {
  const Matrix from = randomMatrix(35, 21, 7);
  Matrix to(19, 40);
  transpose({from.values.data() + 2, from.rows, 19, from.cols},
            {to.values.data() + 5, 19, 35, to.cols});
  for (int32_t r = 0; r < 19; ++r) {
    for (int32_t c = 0; c < 35; ++c)
      EXPECT_EQ(to.at(r, c + 5), from.at(c, r + 2));
    EXPECT_EQ(to.at(r, 4), 0);
  }
}

} // namespace
