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
};
} // namespace cuda

namespace test {

/// The one that there is.
extern FakeCuda *fake;

constexpr cuda::Error kFailed = 999;

/// Counts a call; whether it is to fail.
inline bool fails() { return fake->numCalls++ == fake->failingCall; }

/// Does \p work now, or later if \p stream is captured.
inline void enqueue(cuda::Stream stream, const std::string &what,
                    std::function<void()> work) {
  auto logged = [what, work = std::move(work)] {
    fake->calls.push_back(what);
    work();
  };
  if (stream && stream->capture)
    stream->capture->work.push_back(logged);
  else
    logged();
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
