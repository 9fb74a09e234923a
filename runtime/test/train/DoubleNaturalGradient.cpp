//===- DoubleNaturalGradient.cpp - Plain natural gradient -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoubleNaturalGradient.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nnet3 {
namespace rt {
namespace test {

namespace {
constexpr double kAlpha = 4, kEpsilon = 1e-10, kDelta = 5e-4, kHistory = 2000;
} // namespace

double DoubleNaturalGradient::beta() const {
  return rho * (1 + kAlpha) +
         kAlpha * std::accumulate(d.begin(), d.end(), 0.0) / w.cols;
}

std::vector<double> DoubleNaturalGradient::e() const {
  std::vector<double> result;
  for (double value : d)
    result.push_back(1 / (beta() / value + 1));
  return result;
}

void DoubleNaturalGradient::setDefault(int dim) {
  rank = std::min(rank, dim - 1);
  rho = kEpsilon;
  d.assign(rank, kEpsilon);
  w = DoubleMatrix(rank, dim);
  for (int r = 0; r < rank; ++r) {
    double squares = 0;
    for (int c = r; c < dim; c += rank) {
      w(r, c) = c == r ? 1.1 : 1;
      squares += w(r, c) * w(r, c);
    }
    for (int c = r; c < dim; c += rank)
      w(r, c) /= std::sqrt(squares * (2 + (dim + rank) * kAlpha / dim));
  }
}

void DoubleNaturalGradient::initialize(const DoubleMatrix &x) {
  setDefault(x.cols);
  DoubleNaturalGradient trained = *this;
  trained.step = 1;
  trained.frozen = false;
  for (int times = x.rows <= rank ? 1 : 3; times > 0; --times) {
    DoubleMatrix copy = x;
    trained.precondition(copy);
  }
  w = trained.w;
  d = trained.d;
  rho = trained.rho;
}

void DoubleNaturalGradient::update(const DoubleMatrix &x) {
  const double n = x.rows, dim = x.cols;
  const double eta = std::min(0.9, 1 - std::exp(-n / kHistory));
  const DoubleMatrix h = x * w.transposed(), j = h.transposed() * x,
                     l = h.transposed() * h, k = j * j.transposed();
  const std::vector<double> oldE = e();
  DoubleMatrix z(rank, rank);
  for (int r = 0; r < rank; ++r)
    for (int c = 0; c < rank; ++c) {
      const double root = std::sqrt(oldE[r] * oldE[c]);
      z(r, c) =
          (eta / n) * (eta / n) * k(r, c) / root +
          (eta / n) * (1 - eta) * l(r, c) / root * (d[r] + rho + d[c] + rho);
      if (r == c)
        z(r, c) += (1 - eta) * (1 - eta) * (d[r] + rho) * (d[r] + rho);
    }
  Eigen factors = eigen(z);
  std::vector<double> &c = factors.values;
  bool reorthonormalize = c[0] > 1e6 * c[rank - 1];
  for (double &value : c) {
    const double least = rho * (1 - eta) * rho * (1 - eta);
    reorthonormalize |= value < least;
    value = std::max(value, least);
  }
  double newRho =
      eta / n * x.sumSquares() +
      (1 - eta) * (dim * rho + std::accumulate(d.begin(), d.end(), 0.0));
  for (double value : c)
    newRho -= std::sqrt(value);
  newRho /= dim - rank;
  DoubleMatrix b = j;
  for (int r = 0; r < rank; ++r)
    for (int i = 0; i < w.cols; ++i)
      b(r, i) += (1 - eta) / (eta / n) * (d[r] + rho) * w(r, i);
  const double least = std::max(kEpsilon, kDelta * std::sqrt(c[0]));
  for (int r = 0; r < rank; ++r)
    d[r] = std::max(std::sqrt(c[r]) - newRho, least);
  rho = std::max(newRho, least);
  const std::vector<double> newE = e();
  DoubleMatrix a(rank, rank);
  for (int r = 0; r < rank; ++r)
    for (int i = 0; i < rank; ++i)
      a(r, i) =
          eta / n * std::sqrt(newE[r] / c[r] / oldE[i]) * factors.vectors(i, r);
  w = a * b;
  if (reorthonormalize)
    orthonormalize(newE);
}

/// Makes the rows of E^-1/2 W orthonormal, unless they nearly are. Gram-Schmidt
/// from the first row on is what the inverse of the Cholesky factor does.
void DoubleNaturalGradient::orthonormalize(const std::vector<double> &e) {
  auto product = [&](int r, int q) {
    double sum = 0;
    for (int c = 0; c < w.cols; ++c)
      sum += w(r, c) * w(q, c);
    return sum;
  };
  bool isOrthonormal = true;
  for (int r = 0; r < rank; ++r)
    for (int q = 0; q < rank; ++q)
      isOrthonormal &=
          std::fabs(product(r, q) / std::sqrt(e[r] * e[q]) - (r == q)) <= 1e-3;
  if (isOrthonormal)
    return;
  for (int r = 0; r < rank; ++r) {
    for (int q = 0; q < r; ++q) {
      const double factor = product(r, q) / e[q];
      for (int c = 0; c < w.cols; ++c)
        w(r, c) -= factor * w(q, c);
    }
    const double factor = std::sqrt(e[r] / product(r, r));
    for (int c = 0; c < w.cols; ++c)
      w(r, c) *= factor;
  }
}

double DoubleNaturalGradient::precondition(DoubleMatrix &x) {
  if (x.cols == 1)
    return 1;
  if (step == 0)
    initialize(x);
  const bool updating = !frozen && (step <= 10 || (step - 10) % period == 0);
  const double before = x.sumSquares();
  DoubleMatrix result = x;
  result.add(-1, x * w.transposed() * w);
  if (updating)
    update(x);
  x = result;
  ++step;
  return before <= 0 ? 1 : std::sqrt(before / x.sumSquares());
}

} // namespace test
} // namespace rt
} // namespace nnet3
