//===- DeviceModel.h - A model on a GPU -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_DEVICEMODEL_H
#define NNET3_RUNTIME_CUDA_DEVICEMODEL_H

#include "nnet3/runtime/cuda/AlgorithmTable.h"
#include "nnet3/runtime/cuda/DeviceCode.h"
#include "nnet3/runtime/cuda/DeviceWeights.h"
#include "nnet3/runtime/cuda/FusedProduct.h"

#include <map>
#include <mutex>

namespace nnet3 {
namespace rt {
namespace cuda {

/// Size of the workspace of cuBLAS and cuBLASLt, which must not allocate during
/// a capture; the size that NVIDIA recommends for sm_90.
constexpr size_t kBlasWorkspaceBytes = size_t(32) << 20;

/// The kernels of a model, loaded on the device of its weights. Immutable, so
/// that any number of threads may use it. Outlives its instances.
class DeviceModel {
public:
  /// Compiles \p code for the device of \p weights; both are shared.
  static Result<std::unique_ptr<DeviceModel>>
  create(std::shared_ptr<const DeviceWeights> weights,
         std::shared_ptr<const DeviceCode> code);
  ~DeviceModel();
  DeviceModel(const DeviceModel &) = delete;
  DeviceModel &operator=(const DeviceModel &) = delete;

  const CudaApi &getApi() const { return api; }
  Context getContext() const { return weights->getContext(); }
  const Kernel &getKernel(size_t number) const { return code->kernels[number]; }
  /// Null for a matmul or a step.
  Function getFunction(size_t number) const { return functions[number]; }
  Pointer getWeights() const { return weights->get(); }
  Pointer getRowTables() const { return rowTables.get(); }
  /// The compute type of a matmul: that of the code's precision for float32
  /// operands, float32 for operands that already have 16 bits.
  int getComputeType(const Product &product) const {
    return product.factorType == kFloat32 ? computeType : kCompute32;
  }

  /// cuBLASLt's handle; null if the library is missing.
  BlasLt getBlasLt() const { return blasLt; }
  /// Converts the offsets of a launch of \p product to device addresses.
  ProductPlaces getPlaces(const Product &product, Pointer arena,
                          const int64_t *places) const;
  /// Returns the cuBLASLt algorithm for matmul \p number at \p places: the
  /// tuned one of the library's file or, for a matmul with an epilogue, the
  /// first that cuBLASLt's heuristic proposes. The result is cached by number
  /// and alignment. Null if there is none; cuBLAS then computes a matmul
  /// without epilogue. The context must be current.
  const BlasLtAlgo *findAlgo(size_t number, const ProductPlaces &places) const;
  /// The machine for which tuned algorithms are valid.
  Result<Machine> getMachine() const;

  /// Checks that \p request launches existing kernels only, and that its
  /// matrices and matmuls stay within the arena and the weights.
  Status check(const DeviceRequest &request) const;

private:
  DeviceModel(std::shared_ptr<const DeviceWeights> weights,
              std::shared_ptr<const DeviceCode> code)
      : api(weights->getApi()), weights(std::move(weights)),
        code(std::move(code)), rowTables(api) {}

  Status open();
  Status loadModule();
  Result<const DevicePtx *> choosePtx() const;
  Status loadFunctions();
  Status findComputeType();
  Result<int> getArch() const;

  const CudaApi &api;
  std::shared_ptr<const DeviceWeights> weights;
  std::shared_ptr<const DeviceCode> code;
  Module module = nullptr;
  std::vector<Function> functions;
  int computeType = kCompute32;
  DeviceMemory rowTables;
  BlasLt blasLt = nullptr;
  mutable std::mutex mutex;
  /// Cache of findAlgo() by number and alignment; empty if there is none.
  mutable std::map<std::pair<size_t, uint32_t>, std::optional<BlasLtAlgo>>
      algos;
  Algorithms known; ///< read from the library's file
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEMODEL_H
