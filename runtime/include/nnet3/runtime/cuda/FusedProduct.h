//===- FusedProduct.h - Products with their epilogue ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASLt can add a bias to the sums of a product and apply ReLU while they
// are in registers, and lets its algorithms be chosen.
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

/// Where a product works; \p bias is 0 where there is none.
struct ProductPlaces {
  Pointer weights = 0, input = 0, output = 0, bias = 0;
};

/// A product as cuBLASLt takes it: its descriptors, for one call or several at
/// the same places.
class FusedProduct {
public:
  FusedProduct(const BlasLtApi &api, const Product &product,
               const ProductPlaces &places, int computeType);
  ~FusedProduct();
  FusedProduct(const FusedProduct &) = delete;
  FusedProduct &operator=(const FusedProduct &) = delete;

  /// Finds an algorithm that needs at most \p workspaceBytes, and that works
  /// with addresses that are multiples of 16 bytes like these, or not.
  Error find(BlasLt handle, size_t workspaceBytes, BlasLtAlgo &algo) const;
  /// The same for up to \p count algorithms, the best ones first.
  Error findAll(BlasLt handle, size_t workspaceBytes, size_t count,
                std::vector<BlasLtAlgo> &algos) const;
  /// Whether \p algo, of another process, does here with \p workspaceBytes.
  Error check(BlasLt handle, size_t workspaceBytes,
              const BlasLtAlgo &algo) const;
  /// Puts the product into \p stream.
  Error multiply(BlasLt handle, const BlasLtAlgo &algo, Pointer workspace,
                 size_t workspaceBytes, Stream stream) const;

  /// Of addresses of biases, in bytes.
  static constexpr uint64_t kBiasAlignment = 16;
  /// The bytes of which all addresses and strides are multiples: 16, or 4.
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
