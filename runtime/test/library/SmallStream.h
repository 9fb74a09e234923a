//===- SmallStream.h - A library of a small stream for tests ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_LIBRARY_SMALLSTREAM_H
#define NNET3_RUNTIME_TEST_LIBRARY_SMALLSTREAM_H

#include "LibraryTesting.h"

#include <functional>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// A library that streams
///
///     h(t) = x(t) + 0.75 h(t - 1)
///     y(t) = x(t - 1) + 2 x(t) + 4 x(t + 1) + h(t - 1)
///
/// in chunks of two and of four frames, of one and of four streams at once.
struct SmallStream {
  /// The library, after \p change.
  explicit SmallStream(const std::function<void(LibraryWriter &)> &change = {});

  /// The bit-exact outputs of the library for a whole utterance, padded with
  /// copies of the first and last frame.
  static std::vector<float> compute(const std::vector<float> &frames);

  /// Changes the requests for four streams to requests for eight streams in two
  /// blocks.
  static void useBlocks(LibraryWriter &writer);

  static constexpr uint64_t kStateBytes = 64 + 2 * 64;

  LibraryWriter writer;
  TestImage image;
  Opened opened;
};

/// The state of a stream of the library.
struct alignas(NNET3LIB_ALIGNMENT) SmallState {
  unsigned char bytes[SmallStream::kStateBytes] = {};
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_LIBRARY_SMALLSTREAM_H
