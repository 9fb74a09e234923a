//===- TestMatrix.h - Matrices for tests ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_TESTMATRIX_H
#define NNET3_RUNTIME_TEST_SUPPORT_TESTMATRIX_H

#include "nnet3/runtime/MatrixView.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// An owned matrix.
struct Matrix {
  int32_t rows = 0;
  int32_t cols = 0;
  std::vector<float> values;

  Matrix() = default;
  Matrix(int32_t rows, int32_t cols, float value = 0)
      : rows(rows), cols(cols), values(size_t(rows) * cols, value) {}
  float &at(int32_t r, int32_t c) { return values[size_t(r) * cols + c]; }
  float at(int32_t r, int32_t c) const { return values[size_t(r) * cols + c]; }
  ConstMatrixView view() const {
    return ConstMatrixView(values.data(), rows, cols, cols);
  }
};

/// \p rows rows with all of \p values.
Matrix matrixOf(int32_t rows, std::vector<float> values);

/// Reproducible values, about uniform on [-scale, scale].
Matrix randomMatrix(int32_t rows, int32_t cols, uint32_t seed,
                    float scale = 2.0f);

/// Expects |a - b| <= tolerance (1 + |b|) everywhere.
void expectNear(const Matrix &actual, const std::vector<double> &expected,
                double tolerance = 1e-5);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_TESTMATRIX_H
