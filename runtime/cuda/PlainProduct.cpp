//===- PlainProduct.cpp - Matmuls by cuBLAS -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/PlainProduct.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// cuBLAS is column-major, so all matrices are transposed: Y^T := W X^T + beta
/// Y^T for the forward matmul, and likewise for the derivatives.
Error multiply(const BlasApi &api, Blas handle, const Product &product,
               const ProductPlaces &places, int computeType) {
  const float one = 1;
  auto address = [](Pointer pointer) {
    return reinterpret_cast<float *>(pointer);
  };
  const bool isForward = product.factors == ProductFactors::Forward;
  const bool isOfWeights = product.factors == ProductFactors::WeightDerivative;
  const int transposeA = isForward ? kTranspose : kNoTranspose,
            transposeB = isOfWeights ? kTranspose : kNoTranspose;
  // Not a batch of one: cuBLAS has more algorithms for a single matmul.
  if (product.batches == 1)
    return ofBlas(api.gemmSingle(
        handle, transposeA, transposeB, product.columns, product.rows,
        product.depth, &one, address(places.weights), product.factorType,
        product.weightsStride, address(places.input), product.factorType,
        product.inputStride, &product.beta, address(places.output), kFloat32,
        product.outputStride, computeType, kDefaultAlgo));
  return ofBlas(api.gemm(
      handle, transposeA, transposeB, product.columns, product.rows,
      product.depth, &one, address(places.weights), product.factorType,
      product.weightsStride, /*strideA=*/0, address(places.input),
      product.factorType, product.inputStride, product.inputBatch,
      &product.beta, address(places.output), kFloat32, product.outputStride,
      product.outputBatch, product.batches, computeType, kDefaultAlgo));
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
