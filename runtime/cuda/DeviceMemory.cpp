//===- DeviceMemory.cpp - Contexts and memory of a GPU --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/DeviceMemory.h"

#include <algorithm>

namespace nnet3 {
namespace rt {
namespace cuda {

Status makeStatus(const CudaApi &api, Error error, const std::string &doing) {
  constexpr Error kOutOfMemory = 2, kAllocFailed = kBlasErrors + 3;
  const bool isFull = error == kOutOfMemory || error == kAllocFailed;
  Status status(isFull ? NNET3RT_OUT_OF_MEMORY : NNET3RT_NO_DEVICE,
                "the GPU fails at " + doing + ": " + api.getName(error));
  api.tell(status.message());
  return status;
}

std::unique_lock<std::recursive_mutex> lockRecording() {
  static std::recursive_mutex mutex;
  return std::unique_lock<std::recursive_mutex>(mutex);
}

Error DeviceMemory::allocate(size_t bytes) {
  return api.driver.memAlloc(&pointer, std::max<size_t>(1, bytes));
}

Error DeviceMemory::upload(const void *data, size_t bytes) {
  Error error = allocate(bytes);
  if (error || bytes == 0)
    return error;
  Stream stream = nullptr;
  error = api.driver.streamCreate(&stream, kStreamNonBlocking);
  if (error)
    return error;
  error = api.driver.copyToDevice(pointer, data, bytes, stream);
  // Also after an error: a started copy must not outlive the data.
  const Error waited = api.driver.streamSynchronize(stream);
  api.driver.streamDestroy(stream);
  return error ? error : waited;
}

void DeviceMemory::release() {
  if (pointer)
    api.driver.memFree(pointer);
  pointer = 0;
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
