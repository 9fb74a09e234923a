//===- GemmCblas.cpp - The matmuls through CBLAS --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/Gemm.h"

#include <cblas.h>

#include <atomic>
#include <limits>
#include <sys/mman.h>

// Null if the CBLAS is not OpenBLAS.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace nnet3 {
namespace rt {

static constexpr int32_t kFewRows = 3;

/// Whether the stride fits the int of CBLAS.
static bool fits(int64_t stride) {
  return stride <= std::numeric_limits<int>::max();
}

void gemmNT(ConstMatrixView a, ConstMatrixView b, float beta, MatrixView out) {
  const int ldb = static_cast<int>(b.stride);
  // For few rows use sgemv: sgemm packs all weights first, which costs more
  // than reading them once per row.
  if (out.rows <= kFewRows || !fits(a.stride)) {
    for (int32_t r = 0; r < out.rows; ++r)
      cblas_sgemv(CblasRowMajor, CblasNoTrans, out.cols, a.cols, 1.0f, b.data,
                  ldb, a.row(r), 1, beta, out.row(r), 1);
    return;
  }
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, out.rows, out.cols,
              a.cols, 1.0f, a.data, static_cast<int>(a.stride), b.data, ldb,
              beta, out.data, static_cast<int>(out.stride));
}

void gemmNN(ConstMatrixView a, ConstMatrixView b, float alpha, float beta,
            MatrixView out) {
  const int ldb = static_cast<int>(b.stride);
  if (out.rows <= kFewRows || !fits(out.stride)) { // as in gemmNT()
    for (int32_t r = 0; r < out.rows; ++r)
      cblas_sgemv(CblasRowMajor, CblasTrans, a.cols, out.cols, alpha, b.data,
                  ldb, a.row(r), 1, beta, out.row(r), 1);
    return;
  }
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, out.rows, out.cols,
              a.cols, alpha, a.data, static_cast<int>(a.stride), b.data, ldb,
              beta, out.data, static_cast<int>(out.stride));
}

void gemmTN(ConstMatrixView a, ConstMatrixView b, float alpha, MatrixView out) {
  const int ldo = static_cast<int>(out.stride);
  // Each sger reads and writes all of out, as a single sgemm does, so it pays
  // off for one row only.
  if (a.rows == 1 || !fits(a.stride) || !fits(b.stride)) {
    for (int32_t r = 0; r < a.rows; ++r)
      cblas_sger(CblasRowMajor, out.rows, out.cols, alpha, a.row(r), 1,
                 b.row(r), 1, out.data, ldo);
    return;
  }
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, out.rows, out.cols,
              a.rows, alpha, a.data, static_cast<int>(a.stride), b.data,
              static_cast<int>(b.stride), 1.0f, out.data, ldo);
}

/// Size of OpenBLAS's buffer on most machines.
static constexpr size_t kBlasBuffer = size_t(128) << 20;

/// Whether \p count buffers of OpenBLAS can be allocated now. OpenBLAS before
/// version 0.3.30 retries forever if they cannot.
static bool hasMemoryForBuffers(size_t count) {
  void *probe = mmap(nullptr, count * kBlasBuffer, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED)
    return false;
  munmap(probe, count * kBlasBuffer);
  return true;
}

/// Runs a matmul that is too wide for a buffer on the stack. OpenBLAS keeps the
/// buffer that it allocates for later calls.
static void allocateBuffer() {
  constexpr int kCols = 1024;
  static const float zeros[kCols] = {};
  float result;
  cblas_sgemv(CblasRowMajor, CblasNoTrans, 1, kCols, 1.0f, zeros, kCols, zeros,
              1, 0.0f, &result, 1);
}

bool prepareBlas(int32_t numThreads) {
  if (!openblas_set_num_threads)
    return true;
  openblas_set_num_threads(1);
  static std::atomic<bool> hasBuffer{false};
  if (!hasBuffer) {
    if (!hasMemoryForBuffers(1))
      return false;
    allocateBuffer();
    hasBuffer = true;
  }
  return numThreads == 1 || hasMemoryForBuffers(size_t(numThreads) - 1);
}

} // namespace rt
} // namespace nnet3
