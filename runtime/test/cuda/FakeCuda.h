//===- FakeCuda.h - A driver and cuBLAS without a GPU -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory is host memory, kernels are functions of the test. Enqueued
// work is done immediately, or recorded during a capture. Any number of threads
// may use it. Rejects calls like the real libraries: without a context, with
// addresses outside of device memory, and calls that are not allowed during a
// capture (CUDA programming guide, stream capture).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TEST_CUDA_FAKECUDA_H
#define NNET3_RUNTIME_TEST_CUDA_FAKECUDA_H

#include "nnet3/runtime/cuda/CudaApi.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// The arguments of a kernel, and its grid and block sizes in x, y and z.
struct KernelLaunch {
  float *arena;
  const float *weights;
  const int32_t *tables;
  std::vector<int64_t> places;
  uint32_t blocks[3], threads[3];
};

/// Only one may exist at a time, because CUDA's functions have no user data.
class FakeCuda {
public:
  using KernelFn = std::function<void(const KernelLaunch &)>;

  FakeCuda();
  ~FakeCuda();

  const cuda::CudaApi &getApi() const { return api; }
  /// Whether the bytes are in pinned host memory.
  bool isPinned(const void *data, size_t bytes);
  /// Simulates a missing cuBLASLt.
  void removeBlasLt() { api.hasBlasLt = false; }
  void setDebugOptions(cuda::DebugOptions options) { api.debug = options; }

  /// The kernels, and their numbers of offsets. A module has the kernels that
  /// are here when it is loaded.
  std::map<std::string, std::pair<KernelFn, int>> kernels;
  /// Whether other kernels exist and do nothing.
  bool ignoresKernels = false;
  /// The log of calls: copies, kernels, matmuls and graphs.
  std::vector<std::string> calls;
  /// The log of work enqueued into streams, which are numbered from 1, and of
  /// waits.
  std::vector<std::string> timeline;
  /// The compute capability of the device, the latest loaded code, and the
  /// latest stream that was waited for.
  int arch = 90;
  std::string ptx;
  cuda::Stream stream = nullptr;
  /// Called for each kernel and matmul that is enqueued.
  std::function<void()> onLaunch;
  /// Whether the code of modules can be compiled.
  bool takesCode = true;
  /// Whether work that is not in a graph's capture waits until something waits
  /// for it. Shows missing waits of one thread.
  bool isLate = false;
  /// Whether the driver has shut down.
  bool isOver = false;
  /// Whether copies on the device may use any address.
  bool takesAnyAddress = false;
  /// Whether cuBLASLt has algorithms, and how often it was asked for one.
  bool hasAlgos = true;
  std::atomic<int64_t> numHeuristics = 0;
  /// The version of cuBLASLt, and whether it accepts stored algorithms.
  int blasLtVersion[3] = {13, 1, 2};
  bool takesAlgos = true;
  std::string deviceName = "Fake";
  /// Milliseconds of each algorithm, of cuBLAS, and in total so far.
  std::vector<float> algoTimes = {4, 2, 3};
  float gemmTime = 2.5f;
  float clock = 0;
  /// The number of the call that fails; -1 for none.
  int64_t failingCall = -1;
  /// Whether it has failed; calls that release something never fail.
  std::atomic<bool> hasFailed = false;
  std::atomic<int64_t> numCalls = 0;
  /// Number of objects that are not freed: memory, streams, graphs and so on.
  std::atomic<int64_t> numAlive = 0;
  /// Guards the members that calls change, unless atomic.
  std::mutex mutex;
  int numStreams = 0;
  /// Address and size of pinned host memory and device memory.
  std::map<const char *, size_t> pinned, device;
  std::set<cuda::Stream> capturing;
  std::set<std::string> loaded;

private:
  cuda::CudaApi api;
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_CUDA_FAKECUDA_H
