//===- SmallMatrixTest.cpp - Small matrices without LAPACK ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "train/SmallMatrix.h"
#include "test/support/TestMatrix.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

using Doubles = std::vector<double>;

/// x x^T of a random n x cols matrix.
Doubles randomGram(int32_t n, int32_t cols, uint32_t seed) {
  Doubles out(size_t(n) * n), work(gramWorkSize(n) + 1);
  gramMatrix(randomMatrix(n, cols, seed).view(), out.data(), work.data());
  return out;
}

TEST(SmallMatrixTest, Gram) {
  const Matrix x = matrixOf(2, {1, 2, 3, 4, 5, 6});
  Doubles out(4);
  gramMatrix(x.view(), out.data(), nullptr);
  EXPECT_EQ(out, Doubles({14, 32, 32, 77}));
}

// Includes a singular matrix.
TEST(SmallMatrixTest, Eigenvalues) {
  for (int32_t n : {1, 2, 7, 40, 80})
    for (int32_t cols : {1, 5, 60}) {
      const Doubles original = randomGram(n, cols, n + cols);
      Doubles rows = original, values(n), work(eigenWorkSize(n));
      ASSERT_TRUE(eigenSymmetric(n, rows.data(), values.data(), work.data()));
      for (int32_t i = 0; i < n; ++i) {
        if (i != 0)
          EXPECT_GE(values[i - 1], values[i]);
        for (int32_t r = 0; r < n; ++r) {
          double product = 0, inner = 0;
          for (int32_t c = 0; c < n; ++c) {
            product += original[r * n + c] * rows[i * n + c];
            inner += rows[r * n + c] * rows[i * n + c];
          }
          EXPECT_NEAR(product, values[i] * rows[i * n + r],
                      1e-12 * (1 + values[0]));
          EXPECT_NEAR(inner, r == i, 1e-12);
        }
      }
    }
}

TEST(SmallMatrixTest, InverseOfCholeskyFactor) {
  for (int32_t n : {1, 2, 7, 40}) {
    const Doubles original = randomGram(n, 2 * n, n);
    Doubles inverse = original;
    ASSERT_TRUE(invertCholesky(n, inverse.data()));
    auto at = [&](int32_t i, int32_t j) {
      return i >= j ? inverse[j * n + i] : 0.0;
    };
    // C^-1 a C^-T is the identity.
    for (int32_t i = 0; i < n; ++i)
      for (int32_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int32_t k = 0; k < n; ++k)
          for (int32_t l = 0; l < n; ++l)
            sum += at(i, k) * original[k * n + l] * at(j, l);
        EXPECT_NEAR(sum, i == j, 1e-6);
      }
  }
}

TEST(SmallMatrixTest, NoCholeskyFactor) {
  Doubles negative = {1, 2, 2, 1};
  EXPECT_FALSE(invertCholesky(2, negative.data()));
  Doubles nan = {std::nan("")};
  EXPECT_FALSE(invertCholesky(1, nan.data()));
}

} // namespace
