//===- DenseFisher.cpp - Natural gradient by its definition ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DenseFisher.h"

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace rt {
namespace test {

Dense::Dense(const Matrix &matrix) : Dense(matrix.rows, matrix.cols) {
  std::copy(matrix.values.begin(), matrix.values.end(), values.begin());
}

double Dense::sumSquares() const {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return sum;
}

double Dense::trace() const {
  double sum = 0;
  for (int32_t i = 0; i < rows; ++i)
    sum += at(i, i);
  return sum;
}

Dense operator*(const Dense &a, const Dense &b) {
  Dense c(a.rows, b.cols);
  for (int32_t i = 0; i < a.rows; ++i)
    for (int32_t k = 0; k < a.cols; ++k)
      for (int32_t j = 0; j < b.cols; ++j)
        c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

Dense transposed(const Dense &a) {
  Dense t(a.cols, a.rows);
  for (int32_t i = 0; i < a.rows; ++i)
    for (int32_t j = 0; j < a.cols; ++j)
      t.at(j, i) = a.at(i, j);
  return t;
}

static Dense inverse(Dense a) {
  const int32_t n = a.rows;
  Dense b(n, n);
  for (int32_t i = 0; i < n; ++i)
    b.at(i, i) = 1;
  for (int32_t p = 0; p < n; ++p) // positive definite: no pivoting
    for (int32_t i = 0; i < n; ++i) {
      const double factor =
          i == p ? 1 - 1 / a.at(p, p) : a.at(i, p) / a.at(p, p);
      for (int32_t j = 0; j < n; ++j) {
        a.at(i, j) -= factor * a.at(p, j);
        b.at(i, j) -= factor * b.at(p, j);
      }
    }
  return b;
}

/// Jacobi's method: rotates until \p a is diagonal. The rows of the result are
/// the eigenvectors.
static Dense diagonalize(Dense &a) {
  const int32_t n = a.rows;
  Dense u(n, n);
  for (int32_t i = 0; i < n; ++i)
    u.at(i, i) = 1;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int32_t p = 0; p < n; ++p)
      for (int32_t q = p + 1; q < n; ++q) {
        if (a.at(p, q) == 0)
          continue;
        const double angle =
            0.5 * std::atan2(2 * a.at(p, q), a.at(q, q) - a.at(p, p));
        const double c = std::cos(angle), s = std::sin(angle);
        auto rotate = [&](double &x, double &y) {
          const double old = x;
          x = c * old - s * y;
          y = s * old + c * y;
        };
        for (int32_t k = 0; k < n; ++k)
          rotate(a.at(p, k), a.at(q, k));
        for (int32_t k = 0; k < n; ++k)
          rotate(a.at(k, p), a.at(k, q));
        for (int32_t k = 0; k < n; ++k)
          rotate(u.at(p, k), u.at(q, k));
      }
  return u;
}

DenseFisher::DenseFisher(const NaturalGradientOptions &options, int32_t dim)
    : rank(std::min(options.rank, dim - 1)), rho(1e-10), d(rank, 1e-10),
      options(options), dim(dim), r(rank, dim) {
  for (int32_t i = 0; i < rank; ++i) {
    double sum = 0;
    for (int32_t c = i; c < dim; c += rank) {
      r.at(i, c) = c == i ? 1.1 : 1.0;
      sum += r.at(i, c) * r.at(i, c);
    }
    for (int32_t c = i; c < dim; c += rank)
      r.at(i, c) /= std::sqrt(sum);
  }
}

Dense DenseFisher::fisher() const {
  Dense scaled = r;
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t c = 0; c < dim; ++c)
      scaled.at(i, c) *= d[i];
  Dense f = transposed(r) * scaled;
  for (int32_t i = 0; i < dim; ++i)
    f.at(i, i) += rho;
  return f;
}

Dense DenseFisher::smoothedInverse() const {
  Dense f = fisher();
  const double smoothing = options.alpha * f.trace() / dim;
  for (int32_t i = 0; i < dim; ++i)
    f.at(i, i) += smoothing;
  return inverse(f);
}

void DenseFisher::update(const Dense &x) {
  const double eta =
      options.numMinibatchesHistory > 0
          ? 1.0 / options.numMinibatchesHistory
          : std::min(0.9,
                     1 - std::exp(-x.rows / double(options.numSamplesHistory)));
  Dense t = fisher();
  const Dense s = transposed(x) * x;
  for (size_t i = 0; i < t.values.size(); ++i)
    t.values[i] = eta / x.rows * s.values[i] + (1 - eta) * t.values[i];
  const Dense y = r * t;
  Dense z = y * transposed(y);
  r = diagonalize(z) * y;
  double largest = 0, sum = 0;
  for (int32_t i = 0; i < rank; ++i) {
    const double root = std::sqrt(z.at(i, i));
    for (int32_t c = 0; c < dim; ++c)
      r.at(i, c) /= root;
    d[i] = root;
    sum += root;
    largest = std::max(largest, root);
  }
  const double rest = (t.trace() - sum) / (dim - rank);
  const double least = std::max(1e-10, 5e-4 * largest);
  for (double &value : d)
    value = std::max(value - rest, least);
  rho = std::max(rest, least);
}

Matrix DenseFisher::precondition(const Matrix &matrix) {
  const Dense x(matrix);
  if (numSteps == 0)
    for (int times = x.rows <= rank ? 1 : 3; times > 0; --times)
      update(x);
  const Dense preconditioned = x * smoothedInverse();
  const bool due =
      numSteps <= 10 || (numSteps - 10) % options.updatePeriod == 0;
  if (due && !frozen)
    update(x);
  ++numSteps;
  const double norm = preconditioned.sumSquares();
  const double scale = norm > 0 ? std::sqrt(x.sumSquares() / norm) : 1;
  Matrix result(x.rows, x.cols);
  for (size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = static_cast<float>(scale * preconditioned.values[i]);
  return result;
}

} // namespace test
} // namespace rt
} // namespace nnet3
