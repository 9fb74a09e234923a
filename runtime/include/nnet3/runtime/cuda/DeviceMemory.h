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

/// Makes a context current in this thread during the lifetime of the object.
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
  /// Whether the driver has shut down. Nothing is left to free then, and calls
  /// of cuBLAS would crash.
  bool isOver() const { return error == kDeinitialized; }

private:
  const CudaApi &api;
  Error error;
};

/// Returns a lock that is held during stream captures and during calls that
/// synchronise the whole device, such as the creation of a cuBLAS handle,
/// because these invalidate the captures of all threads (CUDA programming
/// guide, prohibited and unhandled operations of stream capture).
std::unique_lock<std::recursive_mutex> lockRecording();

/// Device memory, allocated in the current context.
class DeviceMemory {
public:
  explicit DeviceMemory(const CudaApi &api) : api(api) {}
  ~DeviceMemory() { release(); }
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// Allocates at least one byte, so that the pointer is not null.
  Error allocate(size_t bytes);
  /// Allocates memory and copies \p data to it synchronously. Does not use the
  /// default stream, which synchronises with others.
  Error upload(const void *data, size_t bytes);
  void release();
  Pointer get() const { return pointer; }

private:
  const CudaApi &api;
  Pointer pointer = 0;
};

/// Makes the Status of a failed CUDA call; \p doing says what it was part of.
Status makeStatus(const CudaApi &api, Error error, const std::string &doing);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEMEMORY_H
