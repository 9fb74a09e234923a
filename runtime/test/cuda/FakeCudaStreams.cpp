//===- FakeCudaStreams.cpp - Work in the streams of the fake driver -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeCudaState.h"

namespace nnet3 {
namespace rt {
namespace test {

using namespace cuda;

void enqueue(Stream stream, std::function<void()> work) {
  if (!fake->isLate || !resolve(stream))
    return work();
  stream->waiting.push_back(std::move(work));
  ++stream->numEnqueued;
}

void enqueue(Stream stream, const std::string &what,
             std::function<void()> work) {
  auto logged = [what, work = std::move(work)] {
    note(fake->calls, what);
    work();
  };
  if (isCapturing(stream)) {
    stream->capture->work.push_back(logged);
  } else {
    note(fake->timeline, inStream(stream, what));
    enqueue(stream, logged);
  }
}

bool runNext(Stream stream, uint64_t count) {
  if (!resolve(stream) || stream->waiting.empty() ||
      stream->numEnqueued - stream->waiting.size() >= count)
    return false;
  const std::function<void()> work = std::move(stream->waiting.front());
  stream->waiting.pop_front();
  work();
  return true;
}

void runAll(Stream stream) {
  if (resolve(stream))
    runFirst(stream, stream->numEnqueued);
}

} // namespace test
} // namespace rt
} // namespace nnet3
