//===- FuzzTarget.h - What the fuzz targets share ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fuzz target reads any bytes at all: it may refuse them, but not crash, hang
// or touch memory that is not its own. What it accepts it writes, and reads
// again to the same thing.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_UNITTESTS_FUZZ_FUZZTARGET_H
#define NNET3_UNITTESTS_FUZZ_FUZZTARGET_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// What libFuzzer calls with each input, and the replay with each file; always
/// 0.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace mlir::nnet3::fuzz {

/// Ends the program, which is a finding, unless `condition` holds.
inline void require(bool condition, const char *message) {
  if (condition)
    return;
  std::fprintf(stderr, "finding: %s\n", message);
  std::abort();
}

} // namespace mlir::nnet3::fuzz

#endif // NNET3_UNITTESTS_FUZZ_FUZZTARGET_H
