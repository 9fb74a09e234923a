//===- FakeCudaState.h - Internals of the fake driver -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_CUDA_FAKECUDASTATE_H
#define NNET3_RUNTIME_TEST_CUDA_FAKECUDASTATE_H

#include "FakeCuda.h"

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

/// Runs \p work immediately, or records it if \p stream is captured.
inline void enqueue(cuda::Stream stream, const std::string &what,
                    std::function<void()> work) {
  auto logged = [what, work = std::move(work)] {
    note(fake->calls, what);
    work();
  };
  if (isCapturing(stream)) {
    stream->capture->work.push_back(logged);
  } else {
    note(fake->timeline, inStream(stream, what));
    logged();
  }
}

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
