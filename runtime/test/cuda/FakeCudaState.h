//===- FakeCudaState.h - Internals of the fake driver -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_CUDA_FAKECUDASTATE_H
#define NNET3_RUNTIME_TEST_CUDA_FAKECUDASTATE_H

#include "FakeCuda.h"

#include <deque>

namespace nnet3 {
namespace rt {
namespace cuda {
struct GraphImpl {
  std::vector<std::function<void()>> work;
};
struct StreamImpl {
  GraphImpl *capture = nullptr;
  bool isSpoilt = false; ///< what is captured
  int number = 0;
  /// What has been enqueued and has not run.
  std::deque<std::function<void()>> waiting;
  uint64_t numEnqueued = 0;
};
} // namespace cuda

namespace test {

/// The current fake driver.
extern FakeCuda *fake;

constexpr cuda::Error kFailed = 999;
/// Errors of the real driver.
constexpr cuda::Error kInvalidValue = 1, kInvalidContext = 201,
                      kMisalignedAddress = 716, kCaptureUnsupported = 900,
                      kCapturedEvent = 907;
/// Statuses of cuBLAS.
constexpr cuda::Error kBlasNotInitialized = 1, kBlasInvalidValue = 7,
                      kBlasFailed = 13;

/// Counts a call; returns whether it fails.
inline bool fails() {
  if (fake->numCalls++ != fake->failingCall)
    return false;
  fake->hasFailed = true;
  return true;
}

inline void note(std::vector<std::string> &list, const std::string &what) {
  const std::lock_guard<std::mutex> lock(fake->mutex);
  list.push_back(what);
}

//===----------------------------------------------------------------------===//
// Checks of the real driver
//===----------------------------------------------------------------------===//

/// Whether this thread has a context.
bool hasContext();
/// Resolves a stream handle; null for the legacy default stream, which has two
/// handles.
cuda::Stream resolve(cuda::Stream stream);
inline bool isCapturing(cuda::Stream stream) {
  return resolve(stream) && resolve(stream)->capture;
}
/// Invalidates all captures, as synchronising the device does.
void spoilCaptures();
/// Whether all of these bytes are device memory.
bool isOnDevice(const void *memory, size_t bytes);
/// Loads code on its first launch; fails in a capture.
bool isLoaded(cuda::Stream stream, const std::string &code);

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// "1: \p what" for the first stream.
inline std::string inStream(cuda::Stream stream, const std::string &what) {
  return std::to_string(resolve(stream) ? stream->number : 0) + ": " + what;
}

/// Records \p work if \p stream is captured; else runs it, at once or as late
/// as possible (FakeCuda::isLate).
void enqueue(cuda::Stream stream, const std::string &what,
             std::function<void()> work);
/// The same for work of a stream that is not captured, without the log.
void enqueue(cuda::Stream stream, std::function<void()> work);
/// Runs the oldest work of a stream that has not run. Returns whether there is
/// any of the first \p count.
bool runNext(cuda::Stream stream, uint64_t count);
/// Runs the first \p count pieces of work of a stream.
inline void runFirst(cuda::Stream stream, uint64_t count) {
  while (runNext(stream, count))
    ;
}
/// Runs all work of a stream.
void runAll(cuda::Stream stream);

template <typename Type> cuda::Error make(Type **object) {
  if (fails())
    return kFailed;
  *object = new Type;
  ++fake->numAlive;
  return 0;
}

template <typename Type> cuda::Error destroy(Type *object) {
  ++fake->numCalls;
  delete object;
  --fake->numAlive;
  return 0;
}

cuda::BlasApi makeFakeBlas();
cuda::BlasLtApi makeFakeBlasLt();

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_CUDA_FAKECUDASTATE_H
