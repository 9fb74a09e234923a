//===- TestMatrix.cpp - Matrices for tests --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestMatrix.h"

#include <utility>

namespace nnet3 {
namespace rt {
namespace test {

Matrix matrixOf(int32_t rows, std::vector<float> values) {
  Matrix matrix;
  matrix.rows = rows;
  matrix.cols = static_cast<int32_t>(values.size()) / rows;
  matrix.values = std::move(values);
  return matrix;
}

Matrix randomMatrix(int32_t rows, int32_t cols, uint32_t seed, float scale) {
  Matrix matrix(rows, cols);
  uint32_t state = seed * 2654435761u + 12345u;
  for (float &value : matrix.values) {
    state = state * 1664525u + 1013904223u;
    value = scale * (float(state >> 8) / 8388608.0f - 1.0f);
  }
  return matrix;
}

} // namespace test
} // namespace rt
} // namespace nnet3
