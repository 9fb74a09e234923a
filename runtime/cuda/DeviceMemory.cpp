//===- DeviceMemory.cpp - Contexts and memory of a GPU --------------------===//

#include "nnet3/runtime/cuda/DeviceMemory.h"

#include <algorithm>

namespace nnet3 {
namespace runtime {
namespace cuda {

Status makeStatus(const CudaApi &api, Error error, const std::string &doing) {
  constexpr Error kOutOfMemory = 2;
  return Status(error == kOutOfMemory ? NNET3RT_OUT_OF_MEMORY
                                      : NNET3RT_NO_DEVICE,
                "the GPU fails at " + doing + ": " + api.getName(error));
}

Error DeviceMemory::allocate(size_t bytes) {
  return api.driver.memAlloc(&pointer, std::max<size_t>(1, bytes));
}

Error DeviceMemory::upload(const void *data, size_t bytes) {
  Error error = allocate(bytes);
  if (error == 0 && bytes != 0)
    error = api.driver.copyToDevice(pointer, data, bytes, nullptr);
  return error ? error : api.driver.streamSynchronize(nullptr);
}

void DeviceMemory::release() {
  if (pointer)
    api.driver.memFree(pointer);
  pointer = 0;
}

} // namespace cuda
} // namespace runtime
} // namespace nnet3
