//===- DeviceInstance.h - Runs of a request on a GPU ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H
#define NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/cuda/DeviceModel.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// Rows in memory of the device that the caller owns; \p stride counts floats.
struct DeviceRows {
  Pointer data = 0; ///< 0: not wanted, for an output
  int64_t stride = 0;
};

/// Does the steps of a request that trains.
class DeviceSteps {
public:
  virtual ~DeviceSteps() = default;
  /// Puts \p step into \p stream; \p rows is where its rows are.
  virtual Error run(const Step &step, Pointer rows, Stream stream) = 0;
};

/// The memory of the runs of one request: an arena on the device, a stream, and
/// host memory that the device can copy from and to. The first run launches
/// kernel by kernel; then copies and launches are one graph, launched at once.
/// One thread at a time; different instances run at the same time.
class DeviceInstance {
public:
  /// Both outlive the instance. Runs are in \p stream, a stream of the device's
  /// primary context that outlives the instance too; null: in one of its own.
  /// Its owner may record it: what is recorded then, behind a run that was not,
  /// may be replayed as long as the instance lives.
  static Result<std::unique_ptr<DeviceInstance>>
  create(const DeviceModel &model, const DeviceRequest &request,
         Stream stream = nullptr);
  ~DeviceInstance();
  DeviceInstance(const DeviceInstance &) = delete;
  DeviceInstance &operator=(const DeviceInstance &) = delete;

  /// Where the rows of input or output \p number are, before and after a run.
  /// Rows are behind each other.
  MatrixView getInput(size_t number);
  ConstMatrixView getOutput(size_t number) const;

  /// For a request that has steps; before the first run. Where it
  /// preconditions, runs are never recorded, as steps do not always do the
  /// same.
  void setSteps(DeviceSteps *doer) { steps = doer; }
  /// Of the random numbers of the next runs, which are counted from 0 again.
  void setSeed(uint64_t to) {
    seed = to;
    numRuns = 0;
  }
  Pointer getPlace(uint64_t place) const {
    return arena.get() + sizeof(float) * place;
  }

  /// Begins a run; outputs are there, and inputs may be changed, after wait().
  Status submit();
  /// Begins a run whose inputs and outputs, in order, are on the device; those
  /// of getInput() and getOutput() play no part.
  Status submitOnDevice(const std::vector<DeviceRows> &from,
                        const std::vector<DeviceRows> &to);
  /// Returns when the latest run is done.
  Status wait();
  /// Computes the outputs; returns when they are there.
  Status run();

private:
  DeviceInstance(const DeviceModel &model, const DeviceRequest &request)
      : model(model), api(model.getApi()), request(request), arena(api),
        workspace(api) {}

  Status open(Stream given);
  /// From now on products are put into \p to.
  Error useStream(Stream to);
  /// Puts the work of a run into \p to, with the copies from and to the host if
  /// \p withCopies.
  Error enqueue(Stream to, bool withCopies);
  Error launch(Stream to, size_t number, const int64_t *places);
  /// The same; notes what has failed.
  Error launchNext(Stream to, size_t number, const int64_t *places);
  Error multiply(Stream to, size_t number, const int64_t *places);
  /// Whether cuBLASLt has all products with an epilogue.
  bool canFuse() const;
  /// Calls \p visit with the kernel and the places of each launch of the
  /// request's form, until it fails.
  template <typename Visitor> Error forEachLaunch(Visitor visit) const;
  /// The same for `stream`, as a graph where that is possible.
  Error compute(bool withCopies);
  /// Records the work instead of doing it.
  Error capture(bool withCopies);
  /// Puts the state of random numbers of the next run into the stream.
  Error setRandomState();
  Error copyRows(const DeviceMatrix &matrix, const DeviceRows &rows,
                 bool toArena);
  /// What comes before a run, and behind it.
  Status begin();
  Status finish(Error error);
  bool preconditions() const;

  const DeviceModel &model;
  const CudaApi &api;
  const DeviceRequest &request;
  DeviceMemory arena, workspace;
  void *staging = nullptr;
  std::vector<float *> inputs, outputs; ///< in `staging`
  /// Not every stream of a caller can be captured: that is done in this one.
  Stream ownStream = nullptr;
  Stream stream = nullptr; ///< of the runs
  Stream blasStream = nullptr;
  Event done = nullptr; ///< of the latest run
  Blas blas = nullptr;
  GraphExec graphs[2] = {}; ///< without copies, and with them
  /// Recordings that something in the process has spoilt; so many make an error
  /// of one.
  int numSpoilt = 0;
  static constexpr int kMaxSpoilt = 4;
  bool hasRun = false;
  uint64_t seed = 0;
  uint32_t numRuns = 0;    ///< with this seed
  bool isCaptured = false; ///< whether the owner of `stream` records it
  std::string failed;      ///< the launch that has failed in the latest run
  DeviceSteps *steps = nullptr;
  Form form = Form::Fused; ///< that is launched
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICEINSTANCE_H
