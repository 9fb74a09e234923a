//===- FusedProduct.h - Matmuls with an epilogue ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASLt can add a bias and apply ReLU in the epilogue of a matmul, and lets
// the caller choose the algorithm.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_FUSEDPRODUCT_H
#define NNET3_RUNTIME_CUDA_FUSEDPRODUCT_H

#include "nnet3/runtime/cuda/CudaApi.h"
#include "nnet3/runtime/cuda/DeviceCode.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace cuda {

/// The device addresses of a matmul's operands; `bias` is 0 if there is none.
struct ProductPlaces {
  Pointer weights = 0, input = 0, output = 0, bias = 0;
};

/// The cuBLASLt descriptors of a matmul at fixed addresses.
class FusedProduct {
public:
  FusedProduct(const BlasLtApi &api, const Product &product,
               const ProductPlaces &places, int computeType);
  ~FusedProduct();
  FusedProduct(const FusedProduct &) = delete;
  FusedProduct &operator=(const FusedProduct &) = delete;

  /// Finds the best algorithm that needs at most \p workspaceBytes, for the
  /// alignment of getAlignment().
  Error find(BlasLt handle, size_t workspaceBytes, BlasLtAlgo &algo) const;
  /// Finds up to \p count such algorithms, the best ones first.
  Error findAll(BlasLt handle, size_t workspaceBytes, size_t count,
                std::vector<BlasLtAlgo> &algos) const;
  /// Checks that \p algo, from another process, works here and needs at most
  /// \p workspaceBytes.
  Error check(BlasLt handle, size_t workspaceBytes,
              const BlasLtAlgo &algo) const;
  /// Enqueues the matmul into \p stream.
  Error multiply(BlasLt handle, const BlasLtAlgo &algo, Pointer workspace,
                 size_t workspaceBytes, Stream stream) const;

  /// Required alignment of biases in bytes.
  static constexpr uint64_t kBiasAlignment = 16;
  /// Returns the alignment in bytes of all addresses and strides: 16 or 4.
  static uint32_t getAlignment(const Product &product,
                               const ProductPlaces &places);

private:
  Error open(int computeType);
  Error makeLayout(BlasLtLayout &layout, int type, int rows, int columns,
                   int stride, int64_t distance);

  const BlasLtApi &api;
  const Product &product;
  ProductPlaces places;
  BlasLtDesc desc = nullptr;
  BlasLtLayout weights = nullptr, input = nullptr, output = nullptr;
  Error error;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_FUSEDPRODUCT_H
