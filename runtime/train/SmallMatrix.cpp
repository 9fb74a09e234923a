//===- SmallMatrix.cpp - Small matrices in double precision ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenBLAS contains LAPACK, without a header for it. Its matrices are
// column-major.
//
//===----------------------------------------------------------------------===//

#include "SmallMatrix.h"

#include <cblas.h>

#include <algorithm>
#include <cstddef>

// The lengths of the strings come last, by the Fortran calling convention.
extern "C" {
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a,
             const int *lda, double *w, double *work, const int *lwork,
             int *iwork, const int *liwork, int *info, size_t jobzLength,
             size_t uploLength);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda,
             int *info, size_t uploLength);
void dtrtri_(const char *uplo, const char *diag, const int *n, double *a,
             const int *lda, int *info, size_t uploLength, size_t diagLength);
}

namespace nnet3 {
namespace rt {

int64_t gramWorkSize(int32_t rows) { return int64_t(rows) * kGramBlock; }

void gramMatrix(ConstMatrixView x, double *out, double *work) {
  const int32_t n = x.rows;
  for (int32_t begin = 0; begin < x.cols; begin += kGramBlock) {
    const int32_t cols = std::min(kGramBlock, x.cols - begin);
    for (int32_t r = 0; r < n; ++r)
      std::copy_n(x.row(r) + begin, cols, work + int64_t(r) * cols);
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, cols, 1.0, work,
                cols, begin == 0 ? 0.0 : 1.0, out, n);
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i + 1; j < n; ++j)
      out[i * n + j] = out[j * n + i];
}

/// Doubles that LAPACK needs; the integers are behind them.
static int64_t getEigenDoubles(int64_t n) { return 1 + 6 * n + 2 * n * n; }

int64_t eigenWorkSize(int32_t n) { return getEigenDoubles(n) + 3 + 5 * n; }

bool eigenSymmetric(int32_t n, double *a, double *values, double *work) {
  const int size = n, workSize = static_cast<int>(getEigenDoubles(n)),
            integers = 3 + 5 * n;
  int info = 0;
  dsyevd_("V", "L", &size, a, &size, values, work, &workSize,
          reinterpret_cast<int *>(work + workSize), &integers, &info, 1, 1);
  for (int32_t i = 0, j = n - 1; i < j; ++i, --j) { // they are ascending
    std::swap(values[i], values[j]);
    std::swap_ranges(a + int64_t(i) * n, a + int64_t(i + 1) * n,
                     a + int64_t(j) * n);
  }
  return info == 0;
}

bool invertCholesky(int32_t n, double *a) {
  const int size = n;
  int info = 0;
  dpotrf_("L", &size, a, &size, &info, 1);
  if (info == 0)
    dtrtri_("L", "N", &size, a, &size, &info, 1, 1);
  return info == 0;
}

} // namespace rt
} // namespace nnet3
