//===- LinearAlgebra.cpp - Matmul and singular values ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenBLAS contains LAPACK, but has no header for it. LAPACK's matrices are
// column-major, so it sees the transpose of a row-major matrix.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Surgery/LinearAlgebra.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

// Fortran compilers pass the lengths of strings as the last arguments.
extern "C" {
void dgemm_(const char *transposeA, const char *transposeB, const int *m,
            const int *n, const int *k, const double *alpha, const double *a,
            const int *lda, const double *b, const int *ldb, const double *beta,
            double *c, const int *ldc, size_t lengthA, size_t lengthB);
void dgesdd_(const char *job, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt,
             const int *ldvt, double *work, const int *workSize,
             int *integerWork, int *info, size_t jobLength);
void dpotrf_(const char *triangle, const int *n, double *a, const int *lda,
             int *info, size_t triangleLength);
void dpotri_(const char *triangle, const int *n, double *a, const int *lda,
             int *info, size_t triangleLength);
int openblas_get_num_threads(void);
void openblas_set_num_threads(int count);
}

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Limits OpenBLAS to one thread during its lifetime: the order of summation,
/// and with it the last bits, must not depend on the number of CPUs.
class OneThread {
public:
  OneThread() : count(openblas_get_num_threads()) {
    openblas_set_num_threads(1);
  }
  ~OneThread() { openblas_set_num_threads(count); }

private:
  int count;
};
} // namespace

DoubleMatrix mlir::nnet3::multiply(const DoubleMatrix &a,
                                   const DoubleMatrix &b) {
  OneThread oneThread;
  DoubleMatrix product(a.rows, b.cols);
  const int m = b.cols, n = a.rows, k = a.cols;
  const double one = 1.0, zero = 0.0;
  // In column-major order this computes (a b)^T = b^T a^T.
  dgemm_("N", "N", &m, &n, &k, &one, b.data.data(), &m, a.data.data(), &k,
         &zero, product.data.data(), &m, 1, 1);
  return product;
}

FailureOr<SingularValues> mlir::nnet3::decompose(const DoubleMatrix &matrix) {
  // LAPACK may not terminate for infinities and NaNs.
  if (!llvm::all_of(matrix.data, [](double x) { return std::isfinite(x); }))
    return failure();
  OneThread oneThread;
  // Decomposes the transpose: V diag(s) U^T.
  const int m = matrix.cols, n = matrix.rows, least = std::min(m, n);
  SingularValues result;
  result.u = DoubleMatrix(n, least);
  result.vt = DoubleMatrix(least, m);
  result.s.resize(least);
  std::vector<double> copy = matrix.data;
  std::vector<int> integerWork(8 * size_t(least));
  auto run = [&](double *work, int workSize) {
    int info = 0;
    dgesdd_("S", &m, &n, copy.data(), &m, result.s.data(),
            result.vt.data.data(), &m, result.u.data.data(), &least, work,
            &workSize, integerWork.data(), &info, 1);
    return info == 0;
  };
  double best = 0;
  if (!run(&best, /*workSize=*/-1))
    return failure();
  std::vector<double> work(static_cast<size_t>(best));
  if (!run(work.data(), static_cast<int>(best)))
    return failure();
  return result;
}

DoubleMatrix mlir::nnet3::transpose(const DoubleMatrix &matrix) {
  DoubleMatrix result(matrix.cols, matrix.rows);
  for (int64_t r = 0; r < matrix.rows; ++r)
    for (int64_t c = 0; c < matrix.cols; ++c)
      result(c, r) = matrix(r, c);
  return result;
}

/// Returns U diag(values) U^T.
static DoubleMatrix compose(const DoubleMatrix &u, ArrayRef<double> values) {
  DoubleMatrix scaled = u;
  for (int64_t r = 0; r < u.rows; ++r)
    for (int64_t c = 0; c < u.cols; ++c)
      scaled(r, c) *= values[c];
  return multiply(scaled, transpose(u));
}

FailureOr<Roots> mlir::nnet3::takeRoots(const DoubleMatrix &matrix) {
  FailureOr<SingularValues> values = decompose(matrix);
  if (failed(values))
    return failure();
  // Directions with less relative power are rounding errors.
  constexpr double kLeast = 1e-10;
  std::vector<double> roots, inverses;
  for (double s : values->s) {
    const bool counts = s > kLeast * values->s.front();
    roots.push_back(counts ? std::sqrt(s) : 0);
    inverses.push_back(counts ? 1 / std::sqrt(s) : 0);
  }
  return Roots{compose(values->u, roots), compose(values->u, inverses)};
}

FailureOr<DoubleMatrix> mlir::nnet3::factorInverse(const DoubleMatrix &matrix) {
  if (!llvm::all_of(matrix.data, [](double x) { return std::isfinite(x); }))
    return failure();
  OneThread oneThread;
  const int n = matrix.rows;
  DoubleMatrix result = matrix;
  // LAPACK's lower triangle is the upper triangle in row-major order.
  for (auto *step : {dpotrf_, dpotri_, dpotrf_}) {
    int info = 0;
    step("L", &n, result.data.data(), &n, &info, 1);
    if (info != 0)
      return failure();
  }
  for (int64_t r = 0; r < n; ++r)
    std::fill_n(result.row(r).begin(), r, 0.0);
  return result;
}

DoubleMatrix mlir::nnet3::getColumns(const DoubleMatrix &matrix, int64_t first,
                                     int64_t count) {
  DoubleMatrix part(matrix.rows, count);
  for (int64_t r = 0; r < matrix.rows; ++r)
    llvm::copy(matrix.row(r).slice(first, count), part.row(r).begin());
  return part;
}

DoubleMatrix mlir::nnet3::takeColumns(const DoubleMatrix &matrix,
                                      int64_t count) {
  return getColumns(matrix, 0, count);
}

DoubleMatrix mlir::nnet3::takeRows(const DoubleMatrix &matrix, int64_t count) {
  DoubleMatrix part(count, matrix.cols);
  std::copy_n(matrix.data.begin(), part.data.size(), part.data.begin());
  return part;
}
