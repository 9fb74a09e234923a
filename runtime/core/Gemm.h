//===- Gemm.h - The matmuls of the kernels ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs must not overlap inputs. With beta = 0, outputs are not read.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CORE_GEMM_H
#define NNET3_RUNTIME_CORE_GEMM_H

#include "nnet3/runtime/MatrixView.h"

namespace nnet3 {
namespace rt {

/// out := beta * out + a * b^T. \p a is out.rows x k, \p b is out.cols x k (so
/// a weight matrix with one row per output unit). The strides of \p b and \p
/// out are below 2^31.
void gemmNT(ConstMatrixView a, ConstMatrixView b, float beta, MatrixView out);

/// out := beta * out + alpha * a * b. \p a is out.rows x k, \p b is k x
/// out.cols. The strides of \p a and \p b are below 2^31.
void gemmNN(ConstMatrixView a, ConstMatrixView b, float alpha, float beta,
            MatrixView out);

/// out := out + alpha * a^T * b. \p a is k x out.rows, \p b is k x out.cols.
/// The stride of \p out is below 2^31.
void gemmTN(ConstMatrixView a, ConstMatrixView b, float alpha, MatrixView out);

/// Makes OpenBLAS run on the calling thread only, and allocate its buffers. The
/// runtime is parallel over instances; threads of BLAS would compete with them.
/// Returns false if there is no memory for the buffers of \p numThreads threads
/// that call BLAS concurrently. Has no effect for other BLAS libraries.
bool prepareBlas(int32_t numThreads = 1);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_GEMM_H
