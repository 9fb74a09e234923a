//===- DeviceWeights.h - Parameters on a GPU --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_DEVICEWEIGHTS_H
#define NNET3_RUNTIME_CUDA_DEVICEWEIGHTS_H

#include "nnet3/runtime/cuda/DeviceMemory.h"

#include <memory>

namespace nnet3 {
namespace rt {
namespace cuda {

/// The parameters of a network on one device; retains its primary context.
/// Immutable, so that any number of models and threads may use them.
class DeviceWeights {
public:
  /// Copies \p data to device \p number, counted from 0.
  static Result<std::shared_ptr<const DeviceWeights>>
  create(const CudaApi &api, int number, const void *data, size_t bytes);
  ~DeviceWeights();
  DeviceWeights(const DeviceWeights &) = delete;
  DeviceWeights &operator=(const DeviceWeights &) = delete;

  const CudaApi &getApi() const { return api; }
  Context getContext() const { return context; }
  Device getDevice() const { return device; }
  Pointer get() const { return memory.get(); }
  size_t getBytes() const { return bytes; }

private:
  DeviceWeights(const CudaApi &api, size_t bytes)
      : api(api), memory(api), bytes(bytes) {}

  Status open(int number, const void *data);

  const CudaApi &api;
  Device device = 0;
  Context context = nullptr;
  DeviceMemory memory;
  size_t bytes;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEWEIGHTS_H
