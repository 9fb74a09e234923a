//===- FakeCudaState.h - Inside of the driver that is not real --*- C++ -*-===//

#ifndef NNET3_RUNTIME_TEST_FAKECUDASTATE_H
#define NNET3_RUNTIME_TEST_FAKECUDASTATE_H

#include "FakeCuda.h"

namespace nnet3 {
namespace runtime {
namespace cuda {
struct GraphImpl {
  std::vector<std::function<void()>> work;
};
struct StreamImpl {
  GraphImpl *capture = nullptr;
  int number = 0;
};
} // namespace cuda

namespace test {

/// The one that there is.
extern FakeCuda *fake;

constexpr cuda::Error kFailed = 999;

/// Counts a call; whether it is to fail.
inline bool fails() { return fake->numCalls++ == fake->failingCall; }

inline void note(std::vector<std::string> &list, const std::string &what) {
  const std::lock_guard<std::mutex> lock(fake->mutex);
  list.push_back(what);
}

/// "1: \p what" for the first stream.
inline std::string inStream(cuda::Stream stream, const std::string &what) {
  return std::to_string(stream ? stream->number : 0) + ": " + what;
}

/// Does \p work now, or later if \p stream is captured.
inline void enqueue(cuda::Stream stream, const std::string &what,
                    std::function<void()> work) {
  auto logged = [what, work = std::move(work)] {
    note(fake->calls, what);
    work();
  };
  if (stream && stream->capture) {
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
} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_FAKECUDASTATE_H
