//===- SmallMatrixPortable.cpp - Small matrices without LAPACK ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that link no BLAS. The matrices of natural gradient are small,
// so the code is simple rather than fast.
//
//===----------------------------------------------------------------------===//

#include "SmallMatrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace nnet3 {
namespace rt {

int64_t gramWorkSize(int32_t) { return 0; }

void gramMatrix(ConstMatrixView x, double *out, double *) {
  const int64_t n = x.rows;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (int32_t k = 0; k < x.cols; ++k)
        sum += double(x.row(i)[k]) * x.row(j)[k];
      out[i * n + j] = out[j * n + i] = sum;
    }
}

namespace {

/// Limit of sweeps; far fewer are needed, because convergence is quadratic.
constexpr int kMaxSweeps = 60;

/// Jacobi's method (Golub and Van Loan, Matrix Computations, 8.5): rotates
/// rows and columns until the matrix is diagonal.
class Jacobi {
public:
  Jacobi(int64_t n, double *a) : n(n), a(a), vectors(n * n) {
    for (int64_t i = 0; i < n; ++i)
      vectors[i * n + i] = 1;
    for (int64_t i = 0; i < n * n; ++i)
      negligible = std::max(negligible, 1e-17 * std::abs(a[i]));
  }

  /// Returns false if it does not converge.
  bool run() {
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      bool isDone = true;
      for (int64_t p = 0; p < n; ++p)
        for (int64_t q = p + 1; q < n; ++q)
          isDone &= !rotate(p, q);
      if (isDone)
        return true;
    }
    return false;
  }
  /// Row i is the eigenvector of a's element (i, i).
  const double *row(int64_t i) const { return &vectors[i * n]; }

private:
  /// Makes element (p, q) zero; returns false if it was negligible already.
  bool rotate(int64_t p, int64_t q) {
    const double off = a[p * n + q];
    if (std::abs(off) <= negligible)
      return false;
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
    const double t =
        (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (int64_t k = 0; k < n; ++k)
      turn(a[k * n + p], a[k * n + q], c, s);
    for (int64_t k = 0; k < n; ++k)
      turn(a[p * n + k], a[q * n + k], c, s);
    for (int64_t k = 0; k < n; ++k)
      turn(vectors[p * n + k], vectors[q * n + k], c, s);
    a[p * n + q] = a[q * n + p] = 0;
    return true;
  }
  static void turn(double &x, double &y, double c, double s) {
    const double first = c * x - s * y;
    y = s * x + c * y;
    x = first;
  }

  int64_t n;
  double *a;
  std::vector<double> vectors;
  double negligible = 0;
};

} // namespace

int64_t eigenWorkSize(int32_t) { return 0; }

bool eigenSymmetric(int32_t n, double *a, double *values, double *) {
  Jacobi jacobi(n, a);
  if (!jacobi.run())
    return false;
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    const double x = a[i * n + i], y = a[j * n + j];
    return x > y || (x == y && i < j);
  });
  for (int64_t i = 0; i < n; ++i)
    values[i] = a[order[i] * n + order[i]];
  for (int64_t i = 0; i < n; ++i)
    std::copy_n(jacobi.row(order[i]), n, a + i * n);
  return true;
}

/// Element (i, j), i >= j, is at a[j * n + i].
bool invertCholesky(int32_t n, double *a) {
  auto at = [&](int64_t i, int64_t j) -> double & { return a[j * n + i]; };
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = j; i < n; ++i)
      for (int64_t k = 0; k < j; ++k)
        at(i, j) -= at(i, k) * at(j, k);
    if (!(at(j, j) > 0))
      return false;
    const double diagonal = std::sqrt(at(j, j));
    for (int64_t i = j; i < n; ++i)
      at(i, j) /= diagonal;
  }
  // Column by column, from the last one; the elements below are inverted
  // already.
  for (int64_t j = n - 1; j >= 0; --j) {
    const double diagonal = 1 / at(j, j);
    for (int64_t i = n - 1; i > j; --i) {
      double sum = 0;
      for (int64_t k = j + 1; k <= i; ++k)
        sum += at(i, k) * at(k, j);
      at(i, j) = -sum * diagonal;
    }
    at(j, j) = diagonal;
  }
  return true;
}

} // namespace rt
} // namespace nnet3
