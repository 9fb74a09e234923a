//===- LibraryFuzzer.cpp - Looks for calls that a library gets wrong ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For libFuzzer: makes the calls that its bytes stand for.
//
//===----------------------------------------------------------------------===//

#include "LibraryCalls.h"

#include <cstdlib>

using namespace nnet3::rt::test;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const WeightsFiles files("/tmp");
  StatusCounts counts = {};
  makeCalls(data, size, files, counts);
  return 0;
}
