//===- NativeLoopsTest.cpp - Loops of machine code ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random networks with recurrences, and requests for many frames: machine code
// with loops, also of requests that are expanded, gives the same bits as step
// by step.
//
//===----------------------------------------------------------------------===//

#include "Execution/NativeExecution.h"
#include "PropertyTest.h"

#include <cstring>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {
using NativeLoopsTest = PropertyTest;
} // namespace

static bool haveSameBits(const Outputs &a, const Outputs &b) {
  return a.values.size() == b.values.size() &&
         llvm::all_of(a.values, [&](const auto &entry) {
           auto other = b.values.find(entry.first);
           return other != b.values.end() &&
                  other->second.size() == entry.second.size() &&
                  std::memcmp(other->second.data(), entry.second.data(),
                              entry.second.size() * sizeof(float)) == 0;
         });
}

TEST_F(NativeLoopsTest, SameBits) {
  int numCases = 0;
  forEachCase([&](Case &generated) {
    if (!hasRecurrence(generated.getNetworkOp()))
      return;
    Random random(generated.getSeed());
    RandomRequest request = stretchRequest(random, generated.getRequest());
    drawValues(random, request, generated.getNetworkOp());
    std::unique_ptr<Case> test = generated.withRequest(request);
    ASSERT_EQ(test->getError(), "");
    if (!compile(*test).op)
      return;
    Outputs steps = runNativeSteps(*test, "avx2");
    ASSERT_EQ(steps.error, "");
    Outputs loops = runNative(*test, "avx2");
    ASSERT_EQ(loops.error, "");
    EXPECT_TRUE(haveSameBits(loops, steps));
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
  EXPECT_GT(numCases, 0);
}
