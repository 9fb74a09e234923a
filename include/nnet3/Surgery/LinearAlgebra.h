//===- LinearAlgebra.h - Matrix operations and decompositions ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SURGERY_LINEARALGEBRA_H
#define NNET3_SURGERY_LINEARALGEBRA_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir::nnet3 {

/// Passes compute in double precision.
using ::nnet3::kaldi::DoubleMatrix;

/// The matmul a b.
DoubleMatrix multiply(const DoubleMatrix &a, const DoubleMatrix &b);

DoubleMatrix transpose(const DoubleMatrix &matrix);

/// A matrix as U diag(s) V^T, where n is the smaller one of its dims.
struct SingularValues {
  /// rows x n and n x cols.
  DoubleMatrix u, vt;
  /// n values, in decreasing order.
  std::vector<double> s;
};

/// The singular value decomposition of `matrix`; fails if LAPACK does, because
/// of infinities or NaNs.
llvm::FailureOr<SingularValues> decompose(const DoubleMatrix &matrix);

/// The square root of a positive semidefinite matrix, and the pseudo-inverse of
/// the square root.
struct Roots {
  DoubleMatrix root, inverse;
};

/// Computes the square root of `matrix`; fails like `decompose`.
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
