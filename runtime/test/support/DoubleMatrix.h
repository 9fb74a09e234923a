//===- DoubleMatrix.h - Plain matrices of the reference trainer -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_DOUBLEMATRIX_H
#define NNET3_RUNTIME_TEST_SUPPORT_DOUBLEMATRIX_H

#include "ProgramWriter.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// An owned matrix in double precision; slow and simple.
struct DoubleMatrix {
  int rows = 0, cols = 0;
  std::vector<double> values;

  DoubleMatrix() = default;
  DoubleMatrix(int rows, int cols)
      : rows(rows), cols(cols), values(size_t(rows) * cols) {}
  explicit DoubleMatrix(const Matrix &matrix)
      : rows(matrix.rows), cols(matrix.cols),
        values(matrix.values.begin(), matrix.values.end()) {}
  double &operator()(int r, int c) { return values[size_t(r) * cols + c]; }
  double operator()(int r, int c) const { return values[size_t(r) * cols + c]; }

  DoubleMatrix transposed() const;
  double sumSquares() const;
  /// this += factor * other
  void add(double factor, const DoubleMatrix &other);
};

DoubleMatrix operator*(const DoubleMatrix &a, const DoubleMatrix &b);

/// Eigenvalues of a symmetric matrix, in falling order, and its eigenvectors as
/// columns (Jacobi's method).
struct Eigen {
  std::vector<double> values;
  DoubleMatrix vectors;
};
Eigen eigen(DoubleMatrix symmetric);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_DOUBLEMATRIX_H
