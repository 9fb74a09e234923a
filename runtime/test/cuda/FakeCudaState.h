//===- FakeCudaState.h - Inside of the driver that is not real --*- C++ -*-===//
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

/// The one that there is.
extern FakeCuda *fake;

constexpr cuda::Error kFailed = 999;
/// Errors of the real driver.
constexpr cuda::Error kInvalidValue = 1, kInvalidContext = 201,
                      kMisalignedAddress = 716, kCaptureUnsupported = 900,
                      kCapturedEvent = 907;
/// Statuses of cuBLAS.
constexpr cuda::Error kBlasNotInitialized = 1, kBlasInvalidValue = 7,
                      kBlasFailed = 13;

/// Counts a call; whether it is to fail.
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
// What the real driver refuses
//===----------------------------------------------------------------------===//

/// Whether this thread has a context.
bool hasContext();
/// The stream that a handle means; null for the legacy default stream, which
/// has two.
cuda::Stream resolve(cuda::Stream stream);
inline bool isCapturing(cuda::Stream stream) {
  return resolve(stream) && resolve(stream)->capture;
}
/// Spoils all captures there are, as waiting for the device does.
void spoilCaptures();
/// Whether all of these bytes are memory of the device.
bool isOnDevice(const void *memory, size_t bytes);
/// What is launched for the first time is loaded then: not in a capture.
bool isLoaded(cuda::Stream stream, const std::string &code);

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// "1: \p what" for the first stream.
inline std::string inStream(cuda::Stream stream, const std::string &what) {
  return std::to_string(resolve(stream) ? stream->number : 0) + ": " + what;
}

/// Does \p work now, or later if \p stream is captured.
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
