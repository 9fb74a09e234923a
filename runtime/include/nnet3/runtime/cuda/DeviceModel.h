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

/// Of cuBLAS and cuBLASLt, which may not allocate while a graph is captured:
/// what their documentation recommends for the latest devices.
constexpr size_t kBlasWorkspaceBytes = size_t(32) << 20;

/// The kernels of a model on the device where its weights are. It never
/// changes; any number of threads may use it. Outlives its instances.
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
  /// Null for a product or a step.
  Function getFunction(size_t number) const { return functions[number]; }
  Pointer getWeights() const { return weights->get(); }
  Pointer getRowTables() const { return rowTables.get(); }
  /// In what a product is computed: as it is where its factors are of 16 bits.
  int getComputeType(const Product &product) const {
    return product.factorType == kFloat32 ? computeType : kCompute32;
  }

  /// cuBLASLt's handle; null where it is not there.
  BlasLt getBlasLt() const { return blasLt; }
  /// Where \p product works with an arena at \p arena.
  ProductPlaces getPlaces(const Product &product, Pointer arena,
                          const int64_t *places) const;
  /// The algorithm of cuBLASLt for product \p number at \p places: that of the
  /// library's file, or, for one with an epilogue, that which cuBLASLt thinks
  /// best; looked for once for all that are alike. Null where there is none: a
  /// product without an epilogue is cuBLAS's then. The context is current.
  const BlasLtAlgo *findAlgo(size_t number, const ProductPlaces &places) const;
  /// What algorithms that are found here are for.
  Result<Machine> getMachine() const;

  /// Whether \p request launches only what is there; products read and write
  /// inside of its arena and the weights.
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
  /// By number and alignment; empty where there is none.
  mutable std::map<std::pair<size_t, uint32_t>, std::optional<BlasLtAlgo>>
      algos;
  Algorithms known; ///< those of the library's file
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEMODEL_H
