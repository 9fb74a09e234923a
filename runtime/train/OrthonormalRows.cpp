//===- OrthonormalRows.cpp - Gram-Schmidt on rows -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OrthonormalRows.h"
#include "core/Gemm.h"
#include "cpu/math/VectorMath.h"

#include <cmath>

namespace nnet3 {
namespace rt {

/// Subtracts from \p row its projections on the orthonormal rows of \p basis.
/// Returns the norm of the result.
static double project(MatrixView basis, float *row, float *scratch) {
  const MatrixView x(row, 1, basis.cols, basis.cols);
  const MatrixView lengths(scratch, 1, basis.rows, basis.rows);
  if (basis.rows > 0) {
    gemmNT(x, basis, 0.0f, lengths);
    gemmNN(lengths, basis, -1.0f, 1.0f, x);
  }
  return std::sqrt(vecSumSquares(basis.cols, row));
}

/// Projects \p row and scales it to norm 1. Returns false if the projection is
/// too short for a reliable direction. Single precision needs a second
/// projection.
static bool addRow(MatrixView basis, float *row, float *scratch) {
  constexpr double kLeast = 1e-3;
  const double length = std::sqrt(vecSumSquares(basis.cols, row));
  if (!(length > 0) || !std::isfinite(length))
    return false;
  vecScale(basis.cols, static_cast<float>(1 / length), row, row);
  for (int pass = 0; pass < 2; ++pass) {
    const double left = project(basis, row, scratch);
    if (!(left > kLeast))
      return false;
    vecScale(basis.cols, static_cast<float>(1 / left), row, row);
  }
  return true;
}

/// Returns the column with the smallest sum of squares over \p basis.
static int32_t freestColumn(MatrixView basis) {
  int32_t best = 0;
  double least = HUGE_VAL;
  for (int32_t c = 0; c < basis.cols; ++c) {
    double sum = 0;
    for (int32_t r = 0; r < basis.rows; ++r)
      sum += double(basis.row(r)[c]) * basis.row(r)[c];
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  return best;
}

void orthonormalizeRows(MatrixView x, float *scratch) {
  for (int32_t r = 0; r < x.rows; ++r) {
    const MatrixView basis(x.data, r, x.cols, x.stride);
    if (addRow(basis, x.row(r), scratch))
      continue;
    vecFill(x.cols, 0.0f, x.row(r));
    x.row(r)[freestColumn(basis)] = 1;
    addRow(basis, x.row(r), scratch);
  }
}

} // namespace rt
} // namespace nnet3
