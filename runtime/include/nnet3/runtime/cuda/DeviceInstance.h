//===- DeviceInstance.h - Runs of a request on a GPU ------------*- C++ -*-===//

#ifndef NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H
#define NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/cuda/DeviceModel.h"

namespace nnet3 {
namespace runtime {
namespace cuda {

/// The memory of the runs of one request: an arena on the device, a stream, and
/// host memory that the device can copy from and to. The first run launches
/// kernel by kernel; then copies and launches are one graph, launched at once.
/// One thread at a time; different instances run at the same time.
class DeviceInstance {
public:
  /// Both outlive the instance.
  static Result<std::unique_ptr<DeviceInstance>>
  create(const DeviceModel &model, const DeviceRequest &request);
  ~DeviceInstance();
  DeviceInstance(const DeviceInstance &) = delete;
  DeviceInstance &operator=(const DeviceInstance &) = delete;

  /// Where the rows of input or output \p number are, before and after a run.
  /// Rows are behind each other.
  MatrixView getInput(size_t number);
  ConstMatrixView getOutput(size_t number) const;

  /// Computes the outputs; returns when they are there.
  Status run();

private:
  DeviceInstance(const DeviceModel &model, const DeviceRequest &request)
      : model(model), api(model.getApi()), request(request), arena(api),
        workspace(api) {}

  Status open();
  /// Puts copies and launches into the stream.
  Error enqueue();
  Error launch(size_t number, const int64_t *places);
  Error multiply(const Product &product, const int64_t *places);
  /// Records the stream's work instead of doing it.
  Error capture();
  Pointer getPlace(uint64_t place) const {
    return arena.get() + sizeof(float) * place;
  }

  const DeviceModel &model;
  const CudaApi &api;
  const DeviceRequest &request;
  DeviceMemory arena, workspace;
  void *staging = nullptr;
  std::vector<float *> inputs, outputs; ///< in `staging`
  Stream stream = nullptr;
  Blas blas = nullptr;
  GraphExec graph = nullptr;
  bool hasRun = false;
};

} // namespace cuda
} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H
