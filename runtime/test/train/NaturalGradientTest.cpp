//===- NaturalGradientTest.cpp - Preconditioning against the definition ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "train/NaturalGradient.h"
#include "DenseFisher.h"
#include "core/ThreadPool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// Rows whose covariance has a few large, turned directions. \p seed varies
/// the rows, not the covariance.
Matrix correlatedRows(int32_t rows, int32_t dim, uint32_t seed,
                      float scale = 1) {
  const Matrix source = randomMatrix(rows, dim, seed);
  const Matrix turn = randomMatrix(dim, dim, 99, 0.3f);
  Matrix x(rows, dim);
  for (int32_t r = 0; r < rows; ++r)
    for (int32_t i = 0; i < dim; ++i) {
      const float strength = scale * std::exp(-0.7f * i) * source.at(r, i);
      for (int32_t c = 0; c < dim; ++c)
        x.at(r, c) += strength * turn.at(i, c) +
                      0.02f * scale * (c == i) * source.at(r, i);
    }
  return x;
}

NaturalGradientOptions optionsOf(int32_t rank, int32_t period = 4) {
  NaturalGradientOptions options;
  options.rank = rank;
  options.updatePeriod = period;
  options.numSamplesHistory = 500;
  return options;
}

/// Preconditions a copy of \p x inside of a larger matrix, and scales it.
Matrix preconditioned(NaturalGradient &preconditioner, const Matrix &x) {
  Matrix wide(x.rows, x.cols + 3, 55);
  const MatrixView view(wide.values.data() + 1, x.rows, x.cols, wide.cols);
  for (int32_t r = 0; r < x.rows; ++r)
    std::copy_n(x.view().row(r), x.cols, view.row(r));
  const double scale = preconditioner.precondition(view);
  Matrix result(x.rows, x.cols);
  for (int32_t r = 0; r < x.rows; ++r) {
    for (int32_t c = 0; c < x.cols; ++c)
      result.at(r, c) = static_cast<float>(scale * view.row(r)[c]);
    EXPECT_EQ(wide.at(r, 0), 55);
    EXPECT_EQ(wide.at(r, x.cols + 1), 55);
  }
  return result;
}

double norm(const Matrix &x) { return std::sqrt(Dense(x).sumSquares()); }

/// |a - b| / |b|
double difference(const Dense &a, const Dense &b) {
  Dense delta = a;
  for (size_t i = 0; i < delta.values.size(); ++i)
    delta.values[i] -= b.values[i];
  return std::sqrt(delta.sumSquares() / b.sumSquares());
}

/// The basis without its scales.
Dense basisOf(const NaturalGradient &preconditioner, double alpha) {
  const ConstMatrixView scaled = preconditioner.scaledBasis();
  double sum = 0;
  for (double value : preconditioner.diagonal())
    sum += value;
  const double beta =
      preconditioner.rho() * (1 + alpha) + alpha * sum / scaled.cols;
  Dense r(scaled.rows, scaled.cols);
  for (int32_t i = 0; i < r.rows; ++i) {
    const double e = 1 / (beta / preconditioner.diagonal()[i] + 1);
    for (int32_t c = 0; c < r.cols; ++c)
      r.at(i, c) = scaled.row(i)[c] / std::sqrt(e);
  }
  return r;
}

void expectOrthonormal(const Dense &r, double tolerance) {
  const Dense gram = r * transposed(r);
  for (int32_t i = 0; i < r.rows; ++i)
    for (int32_t j = 0; j < r.rows; ++j)
      ASSERT_NEAR(gram.at(i, j), i == j, tolerance) << i << " " << j;
}

Dense fisherOf(const NaturalGradient &preconditioner, double alpha) {
  const Dense r = basisOf(preconditioner, alpha);
  Dense scaled = r;
  for (int32_t i = 0; i < r.rows; ++i)
    for (int32_t c = 0; c < r.cols; ++c)
      scaled.at(i, c) *= preconditioner.diagonal()[i];
  Dense f = transposed(r) * scaled;
  for (int32_t i = 0; i < f.rows; ++i)
    f.at(i, i) += preconditioner.rho();
  return f;
}

/// X'^T other of the rows X' that \p preconditioner makes of \p x.
Dense productOf(NaturalGradient &preconditioner, const Matrix &x,
                const Matrix &other) {
  const PreconditionedProduct part =
      preconditioner.preconditionProduct(x.view(), other.view());
  Dense product = transposed(Dense(x)) * Dense(other);
  for (int32_t r = 0; r < product.rows; ++r)
    for (int32_t c = 0; c < product.cols; ++c) {
      for (int32_t i = 0; i < part.basis.rows; ++i)
        product.at(r, c) -= double(part.basis.row(i)[r]) * part.sums.row(i)[c];
      product.at(r, c) *= part.scale;
    }
  return product;
}

/// The reference, a preconditioner of rows, and a preconditioner of matmuls of
/// the same rows.
class Pair {
public:
  Pair(const NaturalGradientOptions &options, int32_t dim)
      : options(options), fast(options), product(options), exact(options, dim) {
  }

  void freeze(bool frozen) {
    for (NaturalGradient *preconditioner : {&fast, &product})
      preconditioner->freeze(frozen);
    exact.frozen = frozen;
  }

  /// One minibatch through both.
  void step(const Matrix &x) {
    const Matrix actual = preconditioned(fast, x);
    const Matrix expected = exact.precondition(x);
    if (norm(x) > 0)
      EXPECT_LT(difference(Dense(actual), Dense(expected)), 2e-4);
    EXPECT_NEAR(norm(actual), norm(x), 1e-5 * norm(x));
    expectSameEstimate();
    const Matrix other = randomMatrix(x.rows, 3, 5);
    const Dense actualProduct = productOf(product, x, other);
    if (norm(x) > 0)
      EXPECT_LT(
          difference(actualProduct, transposed(Dense(expected)) * Dense(other)),
          1e-5);
    EXPECT_LT(difference(fisherOf(product, options.alpha),
                         fisherOf(fast, options.alpha)),
              1e-5);
  }

  void expectSameEstimate() {
    ASSERT_EQ(fast.scaledBasis().rows, exact.rank);
    expectOrthonormal(basisOf(fast, options.alpha), 1e-3);
    EXPECT_LT(difference(fisherOf(fast, options.alpha), exact.fisher()), 2e-4);
    EXPECT_NEAR(fast.rho(), exact.rho, 1e-3 * exact.rho);
  }

  NaturalGradientOptions options;
  NaturalGradient fast, product;
  DenseFisher exact;
};

TEST(NaturalGradientTest, FollowsTheDefinition) {
  Pair pair(optionsOf(5), 30);
  const int32_t sizes[] = {64, 300, 17, 1, 513, 3, 128};
  for (int32_t i = 0; i < 42; ++i) {
    SCOPED_TRACE(i);
    pair.step(correlatedRows(sizes[i % 7], 30, i, i < 20 ? 1.0f : 0.3f));
  }
}

TEST(NaturalGradientTest, Options) {
  NaturalGradientOptions minibatches = optionsOf(3, 1);
  minibatches.alpha = 0.5;
  minibatches.numMinibatchesHistory = 7;
  NaturalGradientOptions forgetful = optionsOf(3, 2);
  forgetful.numSamplesHistory = 10; // eta is at its limit
  forgetful.alpha = 0;
  for (const NaturalGradientOptions &options : {minibatches, forgetful}) {
    Pair pair(options, 12);
    for (int32_t i = 0; i < 30; ++i)
      pair.step(correlatedRows(40, 12, i));
  }
}

/// Rows whose covariance is about the identity.
TEST(NaturalGradientTest, FirstRowsAreAsManyAsTheRank) {
  Pair pair(optionsOf(6), 20);
  for (int32_t i = 0; i < 15; ++i)
    pair.step(i == 0 ? randomMatrix(6, 20, 1) : correlatedRows(50, 20, i));
}

/// There the definition depends on differences as small as epsilon.
TEST(NaturalGradientTest, FirstRowsAreFewerThanTheRank) {
  for (int32_t rows : {1, 2, 5}) {
    NaturalGradient preconditioner(optionsOf(6));
    for (int32_t i = 0; i < 15; ++i) {
      const Matrix x = correlatedRows(rows, 20, i);
      EXPECT_NEAR(norm(preconditioned(preconditioner, x)), norm(x),
                  1e-5 * norm(x));
      expectOrthonormal(basisOf(preconditioner, 4), 2e-3);
    }
  }
}

TEST(NaturalGradientTest, RankIsBelowTheDimension) {
  for (int32_t rank : {5, 6, 40}) {
    Pair pair(optionsOf(rank), 6);
    for (int32_t i = 0; i < 15; ++i)
      pair.step(correlatedRows(40, 6, i));
    EXPECT_EQ(pair.fast.scaledBasis().rows, 5);
  }
}

TEST(NaturalGradientTest, OneColumnStays) {
  NaturalGradient preconditioner(optionsOf(4));
  Matrix x = randomMatrix(9, 1, 1);
  const Matrix before = x;
  EXPECT_EQ(preconditioner.precondition(MatrixView(x.values.data(), 9, 1, 1)),
            1);
  EXPECT_EQ(x.values, before.values);
  const PreconditionedProduct part = preconditioner.preconditionProduct(
      x.view(), randomMatrix(9, 2, 2).view());
  EXPECT_EQ(part.scale, 1);
  EXPECT_EQ(part.basis.rows, 0);
}

TEST(NaturalGradientTest, Frozen) {
  Pair pair(optionsOf(4), 15);
  pair.freeze(true); // the first rows set the estimate even so
  pair.step(correlatedRows(40, 15, 1));
  const std::vector<double> d = pair.fast.diagonal();
  pair.step(correlatedRows(40, 15, 2));
  EXPECT_EQ(pair.fast.diagonal(), d);
  pair.freeze(false);
  for (int32_t i = 0; i < 15; ++i)
    pair.step(correlatedRows(40, 15, 3 + i));
  EXPECT_NE(pair.fast.diagonal(), d);
}

TEST(NaturalGradientTest, UpdatesEachPeriod) {
  NaturalGradient preconditioner(optionsOf(4, 3));
  std::vector<int32_t> updates;
  std::vector<double> before;
  for (int32_t i = 0; i < 21; ++i) {
    preconditioned(preconditioner, correlatedRows(40, 15, i));
    if (i > 0 && preconditioner.diagonal() != before)
      updates.push_back(i);
    before = preconditioner.diagonal();
  }
  EXPECT_EQ(updates,
            std::vector<int32_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 19}));
}

TEST(NaturalGradientTest, ZeroRows) {
  Pair pair(optionsOf(4), 15);
  for (int32_t i = 0; i < 3; ++i)
    pair.step(Matrix(20, 15));
  pair.step(correlatedRows(40, 15, 1));
  for (int32_t i = 0; i < 30; ++i)
    pair.step(Matrix(20, 15));
}

TEST(NaturalGradientTest, RowsOfLowRankAndExtremeScale) {
  for (float scale : {1e-18f, 1e-6f, 1.0f, 1e6f}) {
    NaturalGradientOptions options = optionsOf(6, 1);
    NaturalGradient preconditioner(options);
    for (int32_t i = 0; i < 60; ++i) {
      const Matrix left = randomMatrix(50, 2, i),
                   right = randomMatrix(2, 16, 7);
      Matrix x(50, 16);
      for (int32_t r = 0; r < x.rows; ++r)
        for (int32_t c = 0; c < x.cols; ++c)
          x.at(r, c) = scale * (left.at(r, 0) * right.at(0, c) +
                                1e-3f * left.at(r, 1) * right.at(1, c));
      const Matrix y = preconditioned(preconditioner, x);
      EXPECT_NEAR(norm(y), norm(x), 1e-4 * norm(x));
      expectOrthonormal(basisOf(preconditioner, options.alpha), 2e-3);
    }
  }
}

/// Nearly nothing is left of the rows: what is left cannot be the difference of
/// two sums of squares.
TEST(NaturalGradientTest, ProductsOfRowsThatVanish) {
  NaturalGradientOptions options = optionsOf(6, 1);
  options.alpha = 0;
  NaturalGradient rows(options), products(options);
  double least = 1;
  for (int32_t i = 0; i < 30; ++i) {
    const Matrix left = randomMatrix(50, 2, i), right = randomMatrix(2, 16, 7);
    Matrix x = randomMatrix(50, 16, 100 + i, 1e-3f);
    for (int32_t r = 0; r < x.rows; ++r)
      for (int32_t c = 0; c < x.cols; ++c)
        for (int32_t k = 0; k < 2; ++k)
          x.at(r, c) += left.at(r, k) * right.at(k, c);
    const double product =
        products.preconditionProduct(x.view(), randomMatrix(50, 3, 5).view())
            .scale;
    const double scale =
        rows.precondition(MatrixView(x.values.data(), x.rows, x.cols, x.cols));
    EXPECT_NEAR(product, scale, 1e-2 * scale);
    least = std::min(least, 1 / (scale * scale));
  }
  EXPECT_LT(least, 1e-4);
}

/// Little is left of the rows. Their squares tell how much only as exactly as
/// the rows of the basis are orthogonal.
TEST(NaturalGradientTest, ProductsOfRowsThatNearlyVanish) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    NaturalGradient rows(optionsOf(41, 1)), products(optionsOf(41, 1));
    for (uint32_t i = 0; i < 4; ++i) {
      const Matrix blocks = randomMatrix(1, 3, 10 * seed + i);
      Matrix x = randomMatrix(1, 81, 1000 + 10 * seed + i, 0.05f);
      for (int32_t c = 0; c < x.cols; ++c)
        x.at(0, c) += blocks.at(0, c / 27);
      const double product =
          products
              .preconditionProduct(x.view(), randomMatrix(1, 2, seed).view())
              .scale;
      const double scale = rows.precondition(
          MatrixView(x.values.data(), x.rows, x.cols, x.cols));
      EXPECT_NEAR(product, scale, 4e-5 * scale) << 1 / (scale * scale);
    }
  }
}

/// Sizes of matmuls do not depend on the number of threads.
TEST(NaturalGradientTest, ThreadsChangeNoNumber) {
  auto threads = ThreadPool::create(3);
  ASSERT_TRUE(threads);
  NaturalGradient one(optionsOf(20, 2)), three(optionsOf(20, 2)),
      productOfOne(optionsOf(20, 2)), productOfThree(optionsOf(20, 2));
  for (int32_t i = 0; i < 6; ++i) {
    Matrix x = randomMatrix(2100 + 100 * i, 300, i), y = x;
    const Matrix other = randomMatrix(x.rows, 5, 50 + i);
    const PreconditionedProduct a =
        productOfOne.preconditionProduct(x.view(), other.view());
    const PreconditionedProduct b = productOfThree.preconditionProduct(
        x.view(), other.view(), threads.get());
    EXPECT_EQ(a.scale, b.scale);
    for (int32_t r = 0; r < 20; ++r) {
      EXPECT_TRUE(
          std::equal(a.basis.row(r), a.basis.row(r) + x.cols, b.basis.row(r)));
      EXPECT_TRUE(
          std::equal(a.sums.row(r), a.sums.row(r) + other.cols, b.sums.row(r)));
    }
    EXPECT_EQ(
        one.precondition(MatrixView(x.values.data(), x.rows, x.cols, x.cols)),
        three.precondition(MatrixView(y.values.data(), y.rows, y.cols, y.cols),
                           threads.get()));
    EXPECT_EQ(x.values, y.values);
  }
  three.finishUpdate();
  productOfThree.finishUpdate();
  for (auto [a, b] :
       {std::pair(&one, &three), std::pair(&productOfOne, &productOfThree)}) {
    EXPECT_EQ(a->rho(), b->rho());
    EXPECT_EQ(a->diagonal(), b->diagonal());
    EXPECT_TRUE(std::equal(a->scaledBasis().data,
                           a->scaledBasis().data + 20 * 300,
                           b->scaledBasis().data));
  }
}

/// With threads, the estimate stays as it is until finishUpdate().
TEST(NaturalGradientTest, UpdatesThatArePutOff) {
  auto threads = ThreadPool::create(2);
  ASSERT_TRUE(threads);
  NaturalGradient preconditioner(optionsOf(6, 1));
  const Matrix first = randomMatrix(50, 16, 1), other = randomMatrix(50, 3, 2);
  preconditioner.preconditionProduct(first.view(), other.view());
  const double rho = preconditioner.rho();
  const Matrix second = randomMatrix(50, 16, 3, 4.0f);
  preconditioner.preconditionProduct(second.view(), other.view(),
                                     threads.get());
  EXPECT_EQ(preconditioner.rho(), rho);
  preconditioner.finishUpdate();
  EXPECT_NE(preconditioner.rho(), rho);
}

/// Three matrices give the results of one joined matrix: they are the same rows
/// at an offset, or columns of the same rows. Threads change no number.
TEST(NaturalGradientTest, RowsOfSeveralMatrices) {
  auto threads = ThreadPool::create(3);
  ASSERT_TRUE(threads);
  constexpr int32_t kRows = 2100;
  struct Layout {
    int32_t stride, distance;
  };
  for (const Layout layout : {Layout{20, 20}, {20, 60}, {64, 20}}) {
    NaturalGradient ofOne(optionsOf(6, 1)), ofThree(optionsOf(6, 1)),
        shared(optionsOf(6, 1));
    for (int32_t i = 0; i < 4; ++i) {
      const Matrix all = randomMatrix(kRows + 6, layout.stride, i),
                   other = randomMatrix(kRows, 5, 9);
      Matrix joined(kRows, 60);
      for (int32_t r = 0; r < kRows; ++r)
        for (int32_t c = 0; c < 60; ++c)
          joined.at(r, c) =
              all.values[r * layout.stride + c / 20 * layout.distance + c % 20];
      const JoinedRows parts(
          ConstMatrixView(all.values.data(), kRows, 20, layout.stride), 3,
          layout.distance);
      const PreconditionedProduct a =
          ofOne.preconditionProduct(joined.view(), other.view());
      const PreconditionedProduct b =
          ofThree.preconditionProduct(parts, other.view());
      const PreconditionedProduct c =
          shared.preconditionProduct(parts, other.view(), threads.get());
      EXPECT_NEAR(a.scale, b.scale, 1e-5);
      EXPECT_EQ(b.scale, c.scale);
      ASSERT_EQ(b.basis.cols, 60);
      for (int32_t r = 0; r < 6; ++r) {
        for (int32_t k = 0; k < 60; ++k) {
          EXPECT_NEAR(a.basis.row(r)[k], b.basis.row(r)[k], 1e-4);
          EXPECT_EQ(b.basis.row(r)[k], c.basis.row(r)[k]);
        }
        for (int32_t k = 0; k < 5; ++k) {
          EXPECT_NEAR(a.sums.row(r)[k], b.sums.row(r)[k], 3e-3);
          EXPECT_EQ(b.sums.row(r)[k], c.sums.row(r)[k]);
        }
      }
    }
  }
}

/// Three rows of the next basis become parallel in single precision. What they
/// have in common stays with the largest of d.
TEST(NaturalGradientTest, ParallelRows) {
  NaturalGradient preconditioner(optionsOf(6, 1));
  for (int32_t i = 0; i < 20; ++i) {
    Matrix x(50, 16);
    Dense direction(16, 1);
    for (int32_t c : {4, 5, 6}) {
      direction.at(c, 0) = (c == 5 ? -2 : 1) / std::sqrt(6.0);
      for (int32_t r = 0; r < x.rows; ++r)
        x.at(r, c) = 1e6f * (r % 7 - 3) * (c == 5 ? -2 : 1);
    }
    EXPECT_NEAR(norm(preconditioned(preconditioner, x)), norm(x),
                1e-5 * norm(x));
    expectOrthonormal(basisOf(preconditioner, 4), 2e-3);
    const Dense along = fisherOf(preconditioner, 4) * direction;
    const double variance = (transposed(direction) * along).at(0, 0);
    EXPECT_GT(variance, 0.25 * Dense(x).sumSquares() / x.rows);
  }
}

TEST(NaturalGradientTest, IsUnmovedByWhatIsNotFinite) {
  const float inf = std::numeric_limits<float>::infinity();
  Pair pair(optionsOf(4), 15);
  for (int32_t i = 0; i < 16; ++i) {
    for (float value : {inf, -inf, inf - inf}) {
      Matrix bad = correlatedRows(40, 15, 70 + i);
      bad.at(11, 3) = value;
      pair.fast.precondition(
          MatrixView(bad.values.data(), bad.rows, bad.cols, bad.cols));
      EXPECT_TRUE(std::isnan(bad.at(11, 3)));
      bad.at(11, 3) = value;
      const Matrix other = randomMatrix(40, 3, 5);
      EXPECT_FALSE(std::isfinite(productOf(pair.product, bad, other).at(3, 0)));
    }
    pair.step(correlatedRows(40, 15, i));
  }
}

TEST(NaturalGradientTest, IsUnmovedByWhatOverflows) {
  NaturalGradient preconditioner(optionsOf(4));
  for (int32_t i = 0; i < 8; ++i) {
    const Matrix x = correlatedRows(40, 15, i, i % 2 ? 1 : 1e30f);
    EXPECT_TRUE(std::isfinite(norm(preconditioned(preconditioner, x))));
    expectOrthonormal(basisOf(preconditioner, 4), 1e-3);
  }
}

} // namespace
