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
      : values(size_t(rows) * getWholeColumns(cols),
               std::numeric_limits<float>::quiet_NaN()),
        view(values.data(), rows, cols, getWholeColumns(cols)) {
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

class NarrowGemmTest
    : public testing::TestWithParam<std::tuple<int32_t, NarrowResult>> {
protected:
  /// Compares \p out with the result of a b, where \p a and \p b return
  /// elements and the output was \p start before.
  template <typename A, typename B>
  void expectProduct(const Narrow &out, const Narrow &start,
                     NarrowResult result, int32_t inner, const A &a,
                     const B &b) const {
    for (int32_t r = 0; r < out.view.rows; ++r)
      for (int32_t c = 0; c < out.view.cols; ++c) {
        double sum = result == NarrowResult::Store ? 0 : start.view.row(r)[c];
        const int sign = result == NarrowResult::Subtract ? -1 : 1;
        for (int32_t i = 0; i < inner; ++i)
          sum += sign * double(a(r, i)) * b(i, c);
        ASSERT_NEAR(out.view.row(r)[c], sum, 2e-7 * (50 + inner))
            << "row " << r << ", column " << c;
      }
  }
  /// All remainders of tiles, and reductions in several blocks.
  static constexpr Sizes kSizes[] = {{1, 1},   {7, 3},    {59, 61},   {64, 130},
                                     {123, 9}, {3, 4097}, {10, 20000}};
};

TEST_P(NarrowGemmTest, NN) {
  const auto [cols, result] = GetParam();
  for (const Sizes &size : kSizes) {
    const Matrix a = randomMatrix(size.rows, size.inner + 3, 1);
    const Narrow b(size.inner, cols, 2), start(size.rows, cols, 3);
    Narrow out(size.rows, cols, 3);
    narrowNN({a.values.data() + 3, a.rows, size.inner, a.cols}, b.view,
             out.view, result);
    expectProduct(
        out, start, result, size.inner,
        [&](int r, int i) { return a.at(r, i + 3); },
        [&](int i, int c) { return b.view.row(i)[c]; });
  }
}

TEST_P(NarrowGemmTest, TN) {
  const auto [cols, result] = GetParam();
  for (const auto multiply : {narrowTN, narrowTNPortable})
    for (const Sizes &size : kSizes) {
      const Matrix a = randomMatrix(size.inner, size.rows + 3, 4);
      const Narrow b(size.inner, cols, 5), start(size.rows, cols, 6);
      Narrow out(size.rows, cols, 6);
      multiply({a.values.data() + 3, a.rows, size.rows, a.cols}, b.view,
               out.view, result);
      expectProduct(
          out, start, result, size.inner,
          [&](int r, int i) { return a.at(i, r + 3); },
          [&](int i, int c) { return b.view.row(i)[c]; });
    }
}

/// Several calls with some rows each give the bits of one call.
TEST_P(NarrowGemmTest, TNInSeveralCalls) {
  const auto [cols, result] = GetParam();
  constexpr int32_t kRows = 1100;
  const Matrix a = randomMatrix(kRows, 23, 4);
  const Narrow b(kRows, cols, 5);
  for (const auto multiply : {narrowTN, narrowTNPortable}) {
    Narrow once(23, cols, 6), often(23, cols, 6);
    multiply(a.view(), b.view, once.view, result);
    NarrowResult next = result;
    for (const auto [begin, end] :
         {std::pair(0, 240), {240, 720}, {720, kRows}}) {
      multiply({a.view().row(begin), end - begin, 23, a.cols},
               {b.view.row(begin), end - begin, cols, b.view.stride},
               often.view, next);
      if (next == NarrowResult::Store)
        next = NarrowResult::Add;
    }
    for (int32_t r = 0; r < 23; ++r)
      for (int32_t c = 0; c < cols; ++c)
        ASSERT_EQ(once.view.row(r)[c], often.view.row(r)[c]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Columns, NarrowGemmTest,
    testing::Combine(testing::Values(1, 5, 11, 16, 20, 24, 30, 36, 40, 52, 56,
                                     64, 67, 71, 80, 88, 100, 173),
                     testing::Values(NarrowResult::Store, NarrowResult::Add,
                                     NarrowResult::Subtract)));

/// Columns without padding may be a part of another matrix.
TEST(NarrowGemmColumnsTest, LeavesOtherColumns) {
  for (int32_t cols : {4, 8, 16, 20, 80, 160, 320}) {
    const Matrix a = randomMatrix(37, 20, 8), b = randomMatrix(20, cols + 1, 9),
                 start = randomMatrix(37, cols + 2, 10);
    ASSERT_EQ(getWholeColumns(cols), cols);
    Matrix out = start;
    narrowNN(a.view(), {b.values.data(), 20, cols, cols + 1},
             {out.values.data() + 1, 37, cols, cols + 2},
             NarrowResult::Subtract);
    for (int32_t r = 0; r < 37; ++r) {
      EXPECT_EQ(out.at(r, 0), start.at(r, 0));
      EXPECT_EQ(out.at(r, cols + 1), start.at(r, cols + 1));
      for (int32_t c = 0; c < cols; ++c) {
        double sum = start.at(r, c + 1);
        for (int32_t i = 0; i < 20; ++i)
          sum -= double(a.at(r, i)) * b.at(i, c);
        EXPECT_NEAR(out.at(r, c + 1), sum, 1e-5);
      }
    }
  }
}

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
