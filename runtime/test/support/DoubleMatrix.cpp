//===- DoubleMatrix.cpp - Plain matrices of the reference trainer ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoubleMatrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nnet3 {
namespace rt {
namespace test {

DoubleMatrix DoubleMatrix::transposed() const {
  DoubleMatrix result(cols, rows);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      result(c, r) = (*this)(r, c);
  return result;
}

double DoubleMatrix::sumSquares() const {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return sum;
}

void DoubleMatrix::add(double factor, const DoubleMatrix &other) {
  for (size_t i = 0; i < values.size(); ++i)
    values[i] += factor * other.values[i];
}

DoubleMatrix operator*(const DoubleMatrix &a, const DoubleMatrix &b) {
  DoubleMatrix result(a.rows, b.cols);
  for (int r = 0; r < a.rows; ++r)
    for (int k = 0; k < a.cols; ++k)
      for (int c = 0; c < b.cols; ++c)
        result(r, c) += a(r, k) * b(k, c);
  return result;
}

/// Rotates rows and columns p and q of \p a such that a(p, q) becomes 0.
static void rotate(DoubleMatrix &a, DoubleMatrix &vectors, int p, int q) {
  const double angle = 0.5 * std::atan2(2 * a(p, q), a(p, p) - a(q, q));
  const double c = std::cos(angle), s = std::sin(angle);
  auto turn = [&](double &x, double &y) {
    const double turned = c * x + s * y;
    y = c * y - s * x;
    x = turned;
  };
  for (int i = 0; i < a.rows; ++i)
    turn(a(i, p), a(i, q));
  for (int i = 0; i < a.rows; ++i)
    turn(a(p, i), a(q, i));
  for (int i = 0; i < a.rows; ++i)
    turn(vectors(i, p), vectors(i, q));
}

Eigen eigen(DoubleMatrix a) {
  const int n = a.rows;
  DoubleMatrix vectors(n, n);
  for (int i = 0; i < n; ++i)
    vectors(i, i) = 1;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q)
        if (a(p, q) != 0)
          rotate(a, vectors, p, q);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return a(i, i) > a(j, j); });
  Eigen result{{}, DoubleMatrix(n, n)};
  for (int i = 0; i < n; ++i) {
    result.values.push_back(a(order[i], order[i]));
    for (int r = 0; r < n; ++r)
      result.vectors(r, i) = vectors(r, order[i]);
  }
  return result;
}

} // namespace test
} // namespace rt
} // namespace nnet3
