//===- PlainProduct.h - Matmuls by cuBLAS -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_PLAINPRODUCT_H
#define NNET3_RUNTIME_CUDA_PLAINPRODUCT_H

#include "nnet3/runtime/cuda/FusedProduct.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// Enqueues \p product, which has no epilogue, into the stream of \p handle;
/// cuBLAS chooses the algorithm.
Error multiply(const BlasApi &api, Blas handle, const Product &product,
               const ProductPlaces &places, int computeType);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_PLAINPRODUCT_H
