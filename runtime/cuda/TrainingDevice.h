//===- TrainingDevice.h - Device, stream and kernels of training -*- C++ -*-==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_TRAININGDEVICE_H
#define NNET3_RUNTIME_CUDA_TRAININGDEVICE_H

#include "UpdateKernels.h"
#include "nnet3/runtime/Exchange.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace cuda {

/// Pinned host memory.
class StagingMemory {
public:
  explicit StagingMemory(const CudaApi &api) : api(api) {}
  ~StagingMemory() { release(); }
  StagingMemory(const StagingMemory &) = delete;
  StagingMemory &operator=(const StagingMemory &) = delete;

  Error allocate(size_t floats);
  void release() {
    if (memory)
      api.driver.hostFree(memory);
    memory = nullptr;
  }
  float *get() const { return static_cast<float *>(memory); }

private:
  const CudaApi &api;
  void *memory = nullptr;
};

/// A stream of a device, with the kernels and matmuls of training steps.
/// Callers make its context current.
class TrainingDevice {
public:
  /// \p code has the update kernels.
  static Result<std::unique_ptr<TrainingDevice>>
  create(const CudaApi &api, int number,
         std::shared_ptr<const DeviceCode> code);
  ~TrainingDevice();
  TrainingDevice(const TrainingDevice &) = delete;
  TrainingDevice &operator=(const TrainingDevice &) = delete;

  const CudaApi &getApi() const { return api; }
  Context getContext() const { return device->getContext(); }
  const UpdateKernels &getKernels() const { return *kernels; }
  Stream getStream() const { return stream; }

  /// c := alpha a b + beta c, where a and b may be transposed.
  Error multiply(float alpha, const DeviceView &a, bool transposesA,
                 const DeviceView &b, bool transposesB, float beta,
                 const DeviceView &c) const;
  Error toHost(float *to, Pointer from, int64_t floats) const;
  Error toDevice(Pointer to, const float *from, int64_t floats) const;
  /// Makes later sums those over the processes of \p exchange, which outlives
  /// this object; null for one process.
  void setExchange(Exchange *other) { exchange = other; }
  Exchange *getExchange() const { return exchange; }
  bool isAlone() const { return !exchange || exchange->size() == 1; }
  /// Replace numbers by their sums over processes, on the host. Wait for the
  /// device.
  Error sumFloats(Pointer place, int64_t count);
  Error sumDoubles(Pointer place, int64_t count);

  /// Waits until all work in the stream is complete.
  Error wait() const { return api.driver.streamSynchronize(stream); }
  /// Returns a scratch buffer, valid until the next call.
  Error getScratch(int64_t floats, Pointer &place);

private:
  TrainingDevice(const CudaApi &api,
                 std::shared_ptr<const DeviceWeights> device)
      : api(api), device(std::move(device)), workspace(api), scratch(api) {}

  Status open();

  const CudaApi &api;
  /// Holds the device's context; has no weights.
  std::shared_ptr<const DeviceWeights> device;
  std::unique_ptr<UpdateKernels> kernels;
  Stream stream = nullptr;
  Blas blas = nullptr;
  DeviceMemory workspace, scratch;
  int64_t scratchFloats = 0;
  Exchange *exchange = nullptr;
  std::vector<double> exchanged; ///< of sumFloats() and sumDoubles()
};

/// Adds the UpdateKernels::kParts partial sums at \p parts.
double addParts(const float *parts);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_TRAININGDEVICE_H
