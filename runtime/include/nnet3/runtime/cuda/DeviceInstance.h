//===- DeviceInstance.h - Runs of a request on a GPU ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H
#define NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/RandomDraws.h"
#include "nnet3/runtime/cuda/DeviceModel.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// Rows in device memory that the caller owns; `stride` counts floats.
struct DeviceRows {
  Pointer data = 0; ///< 0 for an output that is not wanted
  int64_t stride = 0;
};

/// Runs the steps of a training request.
class DeviceSteps {
public:
  virtual ~DeviceSteps() = default;
  /// Enqueues \p step, whose rows are at \p rows, into \p stream.
  virtual Error run(const Step &step, Pointer rows, Stream stream) = 0;
  /// Whether the steps of the next run wait for the device, which a capture
  /// does not allow.
  virtual bool waits() const { return false; }
};

/// The memory of the runs of one request: an arena on the device, a stream, and
/// pinned host memory. The first run launches each kernel; later runs launch a
/// CUDA graph of the copies and kernels. An instance serves one thread at a
/// time; different instances run concurrently.
class DeviceInstance {
public:
  /// Creates an instance. \p model and \p request outlive it. Runs use
  /// \p stream, a stream of the device's primary context that outlives the
  /// instance, too; null: a stream of the instance. The owner of \p stream may
  /// capture runs after the first one, and replay the graph as long as the
  /// instance lives.
  static Result<std::unique_ptr<DeviceInstance>>
  create(const DeviceModel &model, const DeviceRequest &request,
         Stream stream = nullptr);
  ~DeviceInstance();
  DeviceInstance(const DeviceInstance &) = delete;
  DeviceInstance &operator=(const DeviceInstance &) = delete;

  /// The pinned host memory of input or output \p number: written before a run,
  /// read after it. Rows are contiguous.
  MatrixView getInput(size_t number);
  ConstMatrixView getOutput(size_t number) const;

  /// Sets the steps of a training request, before the first run. Runs that
  /// precondition are never captured, because the work of these steps varies.
  void setSteps(DeviceSteps *doer) { steps = doer; }
  /// Sets how random numbers are drawn, before the first run.
  void setRandomDraws(RandomDraws to) { randomDraws = to; }
  /// Sets the seed of later runs, and counts runs from 0 again.
  void setSeed(uint64_t to) {
    seed = to;
    numRuns = 0;
  }
  Pointer getPlace(uint64_t place) const {
    return arena.get() + sizeof(float) * place;
  }

  /// Starts a run. After wait() the outputs are valid and inputs may be
  /// changed.
  Status submit();
  /// Starts a run that reads and writes device memory of the caller, one entry
  /// per input and output; getInput() and getOutput() are not used.
  Status submitOnDevice(const std::vector<DeviceRows> &from,
                        const std::vector<DeviceRows> &to);
  /// Waits until the latest run has finished.
  Status wait();
  /// submit(), then wait().
  Status run();

private:
  DeviceInstance(const DeviceModel &model, const DeviceRequest &request)
      : model(model), api(model.getApi()), request(request), arena(api),
        workspace(api) {}

  Status open(Stream given);
  /// Makes cuBLAS enqueue matmuls into \p to.
  Error useStream(Stream to);
  /// Enqueues the work of a run into \p to, with the copies from and to the
  /// host if \p withCopies.
  Error enqueue(Stream to, bool withCopies);
  Error launch(Stream to, size_t number, const int64_t *places);
  /// As launch(), but sets `failed` on errors.
  Error launchNext(Stream to, size_t number, const int64_t *places);
  Error multiply(Stream to, size_t number, const int64_t *places);
  /// Whether cuBLASLt has algorithms for all matmuls with an epilogue.
  bool canFuse() const;
  /// Calls \p visit with the kernel number and the offsets of each launch of
  /// `form`, until it fails.
  template <typename Visitor> Error forEachLaunch(Visitor visit) const;
  /// Enqueues the work of a run into `stream`, as a CUDA graph if possible.
  Error compute(bool withCopies);
  /// Captures the work of a run as a CUDA graph without running it.
  Error capture(bool withCopies);
  /// Enqueues the initialisation of the state of random numbers.
  Error setRandomState();
  Error copyRows(const DeviceMatrix &matrix, const DeviceRows &rows,
                 bool toArena);
  /// Prologue and epilogue of a run.
  Status begin();
  Status finish(Error error);
  /// Whether the request has a step that preconditions.
  bool preconditions() const;
  /// Whether the next run can be a graph.
  bool canCapture() const;

  const DeviceModel &model;
  const CudaApi &api;
  const DeviceRequest &request;
  DeviceMemory arena, workspace;
  void *staging = nullptr;
  std::vector<float *> inputs, outputs; ///< in `staging`
  /// For captures, because not every stream of a caller supports them.
  Stream ownStream = nullptr;
  Stream stream = nullptr; ///< of runs; the caller's or ownStream
  Stream blasStream = nullptr;
  Event done = nullptr; ///< recorded after the latest run
  Blas blas = nullptr;
  GraphExec graphs[2] = {}; ///< indexed by withCopies
  /// Number of captures that other threads have invalidated; after kMaxSpoilt
  /// the next one is an error.
  int numSpoilt = 0;
  static constexpr int kMaxSpoilt = 4;
  bool hasRun = false;
  RandomDraws randomDraws = RandomDraws::Normal;
  uint64_t seed = 0;
  uint32_t numRuns = 0;    ///< with this seed
  bool isCaptured = false; ///< whether the owner of `stream` captures it
  std::string failed;      ///< describes the launch that failed in this run
  DeviceSteps *steps = nullptr;
  Form form = Form::Fused; ///< the form of kernels that is launched
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H
