//===- TrainingDevice.cpp - Device, stream and kernels of training --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingDevice.h"

#include <algorithm>

namespace nnet3 {
namespace rt {
namespace cuda {

/// The size of kBlasWorkspaceBytes in DeviceModel.h.
static constexpr size_t kWorkspaceBytes = size_t(32) << 20;

Error StagingMemory::allocate(size_t floats) {
  return api.driver.hostAlloc(&memory,
                              sizeof(float) * std::max<size_t>(1, floats));
}

Result<std::unique_ptr<TrainingDevice>>
TrainingDevice::create(const CudaApi &api, int number,
                       std::shared_ptr<const DeviceCode> code) {
  auto weights = DeviceWeights::create(api, number, nullptr, 0);
  if (!weights.ok())
    return weights.status();
  std::unique_ptr<TrainingDevice> device(new TrainingDevice(api, *weights));
  Status status = device->open();
  if (!status.ok())
    return status;
  auto kernels = UpdateKernels::create(*weights, std::move(code));
  if (!kernels.ok())
    return kernels.status();
  device->kernels = std::move(*kernels);
  return std::move(device);
}

Status TrainingDevice::open() {
  const auto lock = lockRecording();
  ContextScope scope(api, getContext());
  Error error = scope.getError();
  if (error == 0)
    error = api.driver.streamCreate(&stream, kStreamNonBlocking);
  if (error == 0)
    error = workspace.allocate(kWorkspaceBytes);
  if (error)
    return makeStatus(api, error, "allocating memory");
  error = ofBlas(api.blas.create(&blas));
  if (error == 0)
    error = ofBlas(api.blas.setStream(blas, stream));
  if (error == 0)
    error = ofBlas(api.blas.setWorkspace(
        blas, reinterpret_cast<void *>(workspace.get()), kWorkspaceBytes));
  return error ? makeStatus(api, error, "starting cuBLAS") : Status();
}

TrainingDevice::~TrainingDevice() {
  const auto lock = lockRecording();
  ContextScope scope(api, getContext());
  if (scope.isOver())
    return;
  if (stream)
    api.driver.streamSynchronize(stream);
  if (blas)
    api.blas.destroy(blas);
  if (stream)
    api.driver.streamDestroy(stream);
  workspace.release();
  scratch.release();
}

/// cuBLAS is column-major, so it computes c^T from b^T and a^T.
Error TrainingDevice::multiply(float alpha, const DeviceView &a,
                               bool transposesA, const DeviceView &b,
                               bool transposesB, float beta,
                               const DeviceView &c) const {
  auto address = [](const DeviceView &view) {
    return reinterpret_cast<float *>(view.data);
  };
  const int64_t depth = transposesA ? a.rows : a.columns;
  return ofBlas(api.blas.gemmSingle(
      blas, transposesB ? kTranspose : kNoTranspose,
      transposesA ? kTranspose : kNoTranspose, static_cast<int>(c.columns),
      static_cast<int>(c.rows), static_cast<int>(depth), &alpha, address(b),
      kFloat32, static_cast<int>(b.stride), address(a), kFloat32,
      static_cast<int>(a.stride), &beta, address(c), kFloat32,
      static_cast<int>(c.stride), kCompute32, kDefaultAlgo));
}

Error TrainingDevice::toHost(float *to, Pointer from, int64_t floats) const {
  return api.driver.copyToHost(to, from, sizeof(float) * floats, stream);
}

Error TrainingDevice::toDevice(Pointer to, const float *from,
                               int64_t floats) const {
  return api.driver.copyToDevice(to, from, sizeof(float) * floats, stream);
}

/// Sums \p count numbers of type T, which are floats or doubles.
template <typename T>
static Error sumOverProcesses(TrainingDevice &device, Exchange &exchange,
                              Pointer place, int64_t count,
                              std::vector<double> &memory) {
  memory.resize(count);
  T *numbers = reinterpret_cast<T *>(memory.data());
  auto *floats = reinterpret_cast<float *>(numbers);
  const auto size = static_cast<int64_t>(count * sizeof(T) / sizeof(float));
  Error error = device.toHost(floats, place, size);
  if (error == 0)
    error = device.wait();
  // The other processes wait for this one.
  exchange.sum(numbers, count);
  if (error == 0)
    error = device.toDevice(place, floats, size);
  return error ? error : device.wait();
}

Error TrainingDevice::sumFloats(Pointer place, int64_t count) {
  return isAlone() ? 0
                   : sumOverProcesses<float>(*this, *exchange, place, count,
                                             exchanged);
}

Error TrainingDevice::sumDoubles(Pointer place, int64_t count) {
  return isAlone() ? 0
                   : sumOverProcesses<double>(*this, *exchange, place, count,
                                              exchanged);
}

Error TrainingDevice::getScratch(int64_t floats, Pointer &place) {
  Error error = 0;
  if (floats > scratchFloats) {
    error = wait();
    scratch.release();
    scratchFloats = 0;
    if (error == 0)
      error = scratch.allocate(sizeof(float) * floats);
    if (error == 0)
      scratchFloats = floats;
  }
  place = scratch.get();
  return error;
}

double addParts(const float *parts) {
  double sum = 0;
  for (int64_t i = 0; i < UpdateKernels::kParts; ++i)
    sum += parts[i];
  return sum;
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
