//===- LinearAlgebra.h - Products and singular values -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SURGERY_LINEARALGEBRA_H
#define NNET3_SURGERY_LINEARALGEBRA_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir::nnet3 {

/// A matrix in the double precision in which passes compute.
using ::nnet3::kaldi::DoubleMatrix;

/// The matrix product a b.
DoubleMatrix multiply(const DoubleMatrix &a, const DoubleMatrix &b);

DoubleMatrix transpose(const DoubleMatrix &matrix);

/// A matrix as U diag(s) V^T, with n the lesser of its dims.
struct SingularValues {
  /// rows x n and n x cols.
  DoubleMatrix u, vt;
  /// n values, in decreasing order.
  std::vector<double> s;
};

/// The singular value decomposition of `matrix`; fails if LAPACK finds none,
/// because there are infinities or NaNs.
llvm::FailureOr<SingularValues> decompose(const DoubleMatrix &matrix);

/// What a symmetric matrix without negative eigenvalues is the square of, and
/// the pseudo-inverse of that.
struct Roots {
  DoubleMatrix root, inverse;
};

/// The roots of `matrix`; fails as `decompose` does.
llvm::FailureOr<Roots> takeRoots(const DoubleMatrix &matrix);

/// The upper triangular U with U^T U the inverse of `matrix`, which is
/// symmetric; fails if it has an infinity, a NaN or an eigenvalue of 0 or less.
llvm::FailureOr<DoubleMatrix> factorInverse(const DoubleMatrix &matrix);

/// Columns [first, first + count) of a matrix.
DoubleMatrix getColumns(const DoubleMatrix &matrix, int64_t first,
                        int64_t count);

/// The first `count` columns, or rows, of a matrix.
DoubleMatrix takeColumns(const DoubleMatrix &matrix, int64_t count);
DoubleMatrix takeRows(const DoubleMatrix &matrix, int64_t count);

} // namespace mlir::nnet3

#endif // NNET3_SURGERY_LINEARALGEBRA_H
