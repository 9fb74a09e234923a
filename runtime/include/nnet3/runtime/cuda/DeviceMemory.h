//===- DeviceMemory.h - Contexts and memory of a GPU ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_DEVICEMEMORY_H
#define NNET3_RUNTIME_CUDA_DEVICEMEMORY_H

#include "nnet3/runtime/cuda/CudaApi.h"

#include <mutex>

namespace nnet3 {
namespace rt {
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
  /// Whether the driver has ended: then there is nothing to free any more, and
  /// cuBLAS would crash.
  bool isOver() const { return error == kDeinitialized; }

private:
  const CudaApi &api;
  Error error;
};

/// Held while a graph is recorded, and while something is made or freed that
/// waits for the whole device, such as a handle of cuBLAS: that would spoil the
/// recordings of all threads (CUDA programming guide, prohibited and unhandled
/// operations of stream capture).
std::unique_lock<std::recursive_mutex> lockRecording();

/// Memory of a device, in the context that is current where it is made.
class DeviceMemory {
public:
  explicit DeviceMemory(const CudaApi &api) : api(api) {}
  ~DeviceMemory() { release(); }
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// At least one byte, so that there is a pointer.
  Error allocate(size_t bytes);
  /// Allocates, and copies \p data there; returns when it is there. Not in the
  /// default stream, which waits for others.
  Error upload(const void *data, size_t bytes);
  void release();
  Pointer get() const { return pointer; }

private:
  const CudaApi &api;
  Pointer pointer = 0;
};

/// The Status of a call of CUDA that failed while \p doing something.
Status makeStatus(const CudaApi &api, Error error, const std::string &doing);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEMEMORY_H
