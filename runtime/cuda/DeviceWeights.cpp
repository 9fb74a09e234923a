//===- DeviceWeights.cpp - Parameters on a GPU ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/DeviceWeights.h"

namespace nnet3 {
namespace rt {
namespace cuda {

Result<std::shared_ptr<const DeviceWeights>>
DeviceWeights::create(const CudaApi &api, int number, const void *data,
                      size_t bytes) {
  std::shared_ptr<DeviceWeights> weights(new DeviceWeights(api, bytes));
  Status status = weights->open(number, data);
  if (!status.ok())
    return status;
  return std::shared_ptr<const DeviceWeights>(std::move(weights));
}

/// Does not release the primary context, which lives until the process ends, as
/// in the CUDA runtime: later models need not wait for a new one, and cuBLAS's
/// context is never destroyed.
DeviceWeights::~DeviceWeights() {
  if (!context)
    return;
  const auto lock = lockRecording();
  const ContextScope scope(api, context);
  if (!scope.isOver())
    memory.release();
}

Status DeviceWeights::open(int number, const void *data) {
  if (Error error = api.driver.deviceGet(&device, number))
    return makeStatus(api, error, "finding device " + std::to_string(number));
  if (Error error = api.driver.primaryRetain(&context, device)) {
    context = nullptr;
    return makeStatus(api, error, "making a context");
  }
  api.tell("there is a context");
  ContextScope scope(api, context);
  Error error = scope.getError();
  if (error == 0)
    error = memory.upload(data, bytes);
  api.tell("the weights are on the device");
  return error ? makeStatus(api, error, "copying the weights") : Status();
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
