//===- SmallMatrix.h - Small matrices in double precision -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_SMALLMATRIX_H
#define NNET3_RUNTIME_TRAIN_SMALLMATRIX_H

#include "nnet3/runtime/MatrixView.h"

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Number of columns that gramMatrix() converts to double at a time.
constexpr int32_t kGramBlock = 256;

/// Doubles of workspace that gramMatrix() needs for this number of rows.
int64_t gramWorkSize(int32_t rows);

/// out := x x^T, x.rows x x.rows, contiguous.
void gramMatrix(ConstMatrixView x, double *out, double *work);

/// Doubles of workspace that eigenSymmetric() needs.
int64_t eigenWorkSize(int32_t n);

/// Decomposes the symmetric n x n matrix \p a, which must be finite: \p values
/// receives the eigenvalues, descending, and row i of \p a the eigenvector of
/// values[i]. Returns false if the algorithm does not converge.
bool eigenSymmetric(int32_t n, double *a, double *values, double *work);

/// Decomposes the symmetric n x n matrix \p a = C C^T, where C is lower
/// triangular, and overwrites it by the inverse of C, column-major; elements
/// above the diagonal are undefined. Returns false if \p a is not positive
/// definite.
bool invertCholesky(int32_t n, double *a);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_SMALLMATRIX_H
