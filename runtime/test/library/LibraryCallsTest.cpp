//===- LibraryCallsTest.cpp - Random calls of a library -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a program calls with whatever arguments: a status, never a crash. A
// sanitizer build makes the test sharper, and has a fuzzer of the same calls
// (LibraryFuzzer.cpp).
//
//===----------------------------------------------------------------------===//

#include "LibraryCalls.h"
#include "nnet3/runtime/GeneratedCode.h"

#include <gtest/gtest.h>
#include <random>

using namespace nnet3::rt::test;

namespace {

TEST(LibraryCallsTest, Random) {
  const WeightsFiles files(testing::TempDir());
  StatusCounts counts = {};
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> bytes(16 + random() % 1000);
    for (uint8_t &byte : bytes)
      byte = static_cast<uint8_t>(random());
    makeCalls(bytes.data(), bytes.size(), files, counts);
  }
  // The calls get everywhere: each status has been seen, but for those of
  // damaged metadata, other CPUs, no memory, devices that fail and states.
  for (nnet3lib_status status = NNET3LIB_OK; status <= NNET3LIB_WRONG_STATE;
       ++status) {
    const bool isOther =
        status == NNET3LIB_DAMAGED || status == NNET3LIB_WRONG_CPU ||
        status == NNET3LIB_OUT_OF_MEMORY || status == NNET3LIB_DEVICE_FAILED ||
        status == NNET3LIB_WRONG_STATE;
    EXPECT_EQ(counts[status] == 0, isOther) << nnet3lib_error_text(status);
  }
  EXPECT_GT(counts[NNET3LIB_OK], 1000);
}

} // namespace
