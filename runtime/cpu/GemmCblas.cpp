//===- GemmCblas.cpp - The matrix product through CBLAS -------------------===//

#include "core/Gemm.h"

#include <cblas.h>

#include <limits>

// OpenBLAS's own switch; null with any other CBLAS.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace nnet3 {
namespace runtime {

static constexpr int32_t kFewRows = 3;

void gemmNT(ConstMatrixView a, ConstMatrixView b, float beta, MatrixView out) {
  const int ldb = static_cast<int>(b.stride);
  // Few rows: sgemm would first repack all of the weights, which costs more
  // than reading them once for each row. The other case is a stride that the
  // interface of CBLAS cannot express.
  if (out.rows <= kFewRows || a.stride > std::numeric_limits<int>::max()) {
    for (int32_t r = 0; r < out.rows; ++r)
      cblas_sgemv(CblasRowMajor, CblasNoTrans, out.cols, a.cols, 1.0f, b.data,
                  ldb, a.row(r), 1, beta, out.row(r), 1);
    return;
  }
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, out.rows, out.cols,
              a.cols, 1.0f, a.data, static_cast<int>(a.stride), b.data, ldb,
              beta, out.data, static_cast<int>(out.stride));
}

void useOneBlasThread() {
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
}

} // namespace runtime
} // namespace nnet3
