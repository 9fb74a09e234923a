//===- DeviceModel.h - A model on a GPU -------------------------*- C++ -*-===//

#ifndef NNET3_RUNTIME_CUDA_DEVICEMODEL_H
#define NNET3_RUNTIME_CUDA_DEVICEMODEL_H

#include "nnet3/runtime/cuda/CudaApi.h"
#include "nnet3/runtime/cuda/DeviceCode.h"

#include <memory>

namespace nnet3 {
namespace runtime {
namespace cuda {

/// Makes the context of a device that of the thread, as long as it lives.
class ContextScope {
public:
  ContextScope(const CudaApi &api, Context context) : api(api) {
    error = api.driver.contextPush(context);
  }
  ~ContextScope() {
    Context popped;
    if (error == 0)
      api.driver.contextPop(&popped);
  }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  Error getError() const { return error; }

private:
  const CudaApi &api;
  Error error;
};

/// Memory of a device, in the context that is current where it is made.
class DeviceMemory {
public:
  explicit DeviceMemory(const CudaApi &api) : api(api) {}
  ~DeviceMemory() { release(); }
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// At least one byte, so that there is a pointer.
  Error allocate(size_t bytes);
  void release();
  Pointer get() const { return pointer; }

private:
  const CudaApi &api;
  Pointer pointer = 0;
};

/// The kernels and the weights of a model on one device. It never changes; any
/// number of threads may use it. Outlives its instances.
class DeviceModel {
public:
  /// Copies \p weights to device \p number and compiles \p code for it.
  static Result<std::unique_ptr<DeviceModel>>
  create(const CudaApi &api, int number, const DeviceCode &code,
         const void *weights, size_t weightsBytes);
  ~DeviceModel();
  DeviceModel(const DeviceModel &) = delete;
  DeviceModel &operator=(const DeviceModel &) = delete;

  const CudaApi &getApi() const { return api; }
  Context getContext() const { return context; }
  const Kernel &getKernel(size_t number) const { return code.kernels[number]; }
  /// Null for a product.
  Function getFunction(size_t number) const { return functions[number]; }
  Pointer getWeights() const { return weights.get(); }
  Pointer getRowTables() const { return rowTables.get(); }

  /// Whether \p request launches only what is there, inside of its arena.
  Status check(const DeviceRequest &request) const;

private:
  DeviceModel(const CudaApi &api, const DeviceCode &code)
      : api(api), code(code), weights(api), rowTables(api) {}

  Status open(int number, const void *data, size_t bytes);
  Status loadFunctions();
  Status upload(DeviceMemory &memory, const void *data, size_t bytes);

  const CudaApi &api;
  DeviceCode code;
  Device device = 0;
  Context context = nullptr;
  Module module = nullptr;
  std::vector<Function> functions;
  DeviceMemory weights, rowTables;
};

/// The Status of a call of CUDA that failed while \p doing something.
Status makeStatus(const CudaApi &api, Error error, const std::string &doing);

} // namespace cuda
} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEMODEL_H
