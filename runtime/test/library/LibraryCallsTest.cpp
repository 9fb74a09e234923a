//===- LibraryCallsTest.cpp - Random calls of a library -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any calls with any arguments return a status and never crash. A sanitizer
// build detects more, and has a fuzzer of the same calls (LibraryFuzzer.cpp).
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
  // The calls are thorough: each status has occurred, except those of damaged
  // metadata, other CPUs, no memory, failing devices and states.
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
