//===- FakeCudaRules.cpp - Checks of the fake driver ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeCudaState.h"

namespace nnet3 {
namespace rt {
namespace test {

using namespace cuda;

/// CU_STREAM_LEGACY.
static const auto kLegacy = reinterpret_cast<Stream>(uintptr_t(1));

Stream resolve(Stream stream) { return stream == kLegacy ? nullptr : stream; }

void spoilCaptures() {
  const std::lock_guard<std::mutex> lock(fake->mutex);
  for (Stream stream : fake->capturing)
    stream->isSpoilt = true;
}

/// Whether one of `blocks` contains all of the bytes.
static bool isInside(const std::map<const char *, size_t> &blocks,
                     const void *memory, size_t bytes) {
  const auto *begin = static_cast<const char *>(memory);
  auto next = blocks.upper_bound(begin);
  if (next == blocks.begin())
    return false;
  const auto &[block, size] = *--next;
  return bytes <= size && begin <= block + (size - bytes);
}

bool isOnDevice(const void *memory, size_t bytes) {
  const std::lock_guard<std::mutex> lock(fake->mutex);
  return isInside(fake->device, memory, bytes);
}

bool isLoaded(Stream stream, const std::string &code) {
  const bool isNow = !isCapturing(stream);
  const std::lock_guard<std::mutex> lock(fake->mutex);
  if (isNow)
    fake->loaded.insert(code);
  return fake->loaded.count(code) != 0;
}

bool FakeCuda::isPinned(const void *data, size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex);
  return isInside(pinned, data, bytes);
}

} // namespace test
} // namespace rt
} // namespace nnet3
