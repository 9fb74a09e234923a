//===- Gemm.h - The matrix product of the kernels ---------------*- C++ -*-===//

#ifndef NNET3_RUNTIME_CORE_GEMM_H
#define NNET3_RUNTIME_CORE_GEMM_H

#include "nnet3/runtime/MatrixView.h"

namespace nnet3 {
namespace runtime {

/// out := beta * out + a * b^T. \p a is out.rows x k, \p b is out.cols x k (so
/// a weight matrix with one row per output unit). The strides of \p b and \p
/// out are below 2^31; \p out overlaps neither. With beta = 0, \p out may hold
/// anything.
void gemmNT(ConstMatrixView a, ConstMatrixView b, float beta, MatrixView out);

/// Makes the BLAS behind gemmNT() run on the calling thread alone. The runtime
/// is parallel over instances; threads inside of BLAS would only be in the way.
/// Without effect where the BLAS has no such switch.
void useOneBlasThread();

} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_GEMM_H
