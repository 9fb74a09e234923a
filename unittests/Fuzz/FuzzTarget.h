//===- FuzzTarget.h - Common parts of fuzz targets --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fuzz target reads arbitrary bytes. It may reject them, but must not crash,
// hang or access invalid memory. It writes accepted inputs and checks that they
// read back equal.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_UNITTESTS_FUZZ_FUZZTARGET_H
#define NNET3_UNITTESTS_FUZZ_FUZZTARGET_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// Called by libFuzzer with each input, and by the replay with each file;
/// returns 0.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace mlir::nnet3::fuzz {

/// Aborts the program, which is a finding, unless `condition` holds.
inline void require(bool condition, const char *message) {
  if (condition)
    return;
  std::fprintf(stderr, "finding: %s\n", message);
  std::abort();
}

} // namespace mlir::nnet3::fuzz

#endif // NNET3_UNITTESTS_FUZZ_FUZZTARGET_H
