//===- DeviceModel.h - A model on a GPU -------------------------*- C++ -*-===//

#ifndef NNET3_RUNTIME_CUDA_DEVICEMODEL_H
#define NNET3_RUNTIME_CUDA_DEVICEMODEL_H

#include "nnet3/runtime/cuda/DeviceCode.h"
#include "nnet3/runtime/cuda/DeviceWeights.h"

namespace nnet3 {
namespace runtime {
namespace cuda {

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
  /// Null for a product.
  Function getFunction(size_t number) const { return functions[number]; }
  Pointer getWeights() const { return weights->get(); }
  Pointer getRowTables() const { return rowTables.get(); }
  /// Of all products.
  int getComputeType() const { return computeType; }

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

  const CudaApi &api;
  std::shared_ptr<const DeviceWeights> weights;
  std::shared_ptr<const DeviceCode> code;
  Module module = nullptr;
  std::vector<Function> functions;
  int computeType = kCompute32;
  DeviceMemory rowTables;
};

} // namespace cuda
} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEMODEL_H
