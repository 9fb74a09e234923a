//===- FakeCuda.h - A driver and cuBLAS without a GPU -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory is host memory, kernels are functions of the test. What is put
// into a stream is done at once, or recorded while a graph is captured. Any
// number of threads may use it. It refuses what the real ones refuse: calls
// without a context, addresses that are not the device's, and what may not be
// while a graph is captured (CUDA programming guide, stream capture).
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

/// What a kernel is given, and how often it is to be executed: blocks and
/// threads of a block in x, y and z.
struct KernelLaunch {
  float *arena;
  const float *weights;
  const int32_t *tables;
  std::vector<int64_t> places;
  uint32_t blocks[3], threads[3];
};

/// One at a time: the functions of CUDA have no context of their own.
class FakeCuda {
public:
  using KernelFn = std::function<void(const KernelLaunch &)>;

  FakeCuda();
  ~FakeCuda();

  const cuda::CudaApi &getApi() const { return api; }
  /// Whether the host's memory there is that of the driver.
  bool isPinned(const void *data, size_t bytes);
  /// As if cuBLASLt were missing.
  void removeBlasLt() { api.hasBlasLt = false; }
  void setDebugOptions(cuda::DebugOptions options) { api.debug = options; }

  /// The kernels, and how many places each has. A module has those that are
  /// here when it is loaded.
  std::map<std::string, std::pair<KernelFn, int>> kernels;
  /// Whether others do nothing; otherwise there are none.
  bool ignoresKernels = false;
  /// What was called: copies, kernels, products, and what concerns graphs.
  std::vector<std::string> calls;
  /// What was put into streams, which are numbered from 1, and for which of
  /// them a thread has waited.
  std::vector<std::string> timeline;
  /// The compute capability of the device, the code that was loaded last, and
  /// the stream that was last waited for.
  int arch = 90;
  std::string ptx;
  cuda::Stream stream = nullptr;
  /// Called for each kernel and product that is put into a stream.
  std::function<void()> onLaunch;
  /// Whether the code of modules can be compiled.
  bool takesCode = true;
  /// Whether the driver has ended.
  bool isOver = false;
  /// Whether addresses of copies between places on the device may be any.
  bool takesAnyAddress = false;
  /// Whether cuBLASLt has algorithms, and how often it was asked for one.
  bool hasAlgos = true;
  std::atomic<int64_t> numHeuristics = 0;
  /// What cuBLASLt is, and whether it takes algorithms of other processes.
  int blasLtVersion[3] = {13, 1, 2};
  bool takesAlgos = true;
  std::string deviceName = "Fake";
  /// Milliseconds that each algorithm takes, and cuBLAS; and all that was done.
  std::vector<float> algoTimes = {4, 2, 3};
  float gemmTime = 2.5f;
  float clock = 0;
  /// The call that fails, counted in calls of anything; -1 for none.
  int64_t failingCall = -1;
  /// Whether it has failed: calls that release something do not.
  std::atomic<bool> hasFailed = false;
  std::atomic<int64_t> numCalls = 0;
  /// Blocks of memory that are not freed, streams, graphs and so on.
  std::atomic<int64_t> numAlive = 0;
  /// Of all that is not atomic and that calls change.
  std::mutex mutex;
  int numStreams = 0;
  /// Memory of the host, and of the device, and how many bytes.
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
