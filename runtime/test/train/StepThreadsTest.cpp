//===- StepThreadsTest.cpp - Threads that run a training step together ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "train/StepThreads.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;

namespace {

/// Each thread adds up what all have written before they waited, and waits
/// again before anything is overwritten.
void addInTurns(float *arena, const float *, const int32_t *, void *context) {
  const int64_t number = StepThreads::getNumber(context),
                count = StepThreads::getCount(context);
  float *sums = arena + count;
  for (int round = 0; round < 1000; ++round) {
    arena[number] = static_cast<float>(number + round);
    StepThreads::wait(context);
    for (int64_t i = 0; i < count; ++i)
      sums[number] += arena[i];
    StepThreads::wait(context);
  }
}

TEST(StepThreadsTest, BarriersSeparateRounds) {
  for (int32_t count : {1, 2, 3, 8}) {
    auto threads = StepThreads::create(count);
    ASSERT_TRUE(threads);
    std::vector<float> arena(2 * count);
    for (int run = 0; run < 3; ++run)
      threads->run(addInTurns, arena.data(), nullptr, nullptr);
    // Small enough for floats to be exact.
    const float ofOneRun =
        1000.0f * float(count * (count - 1) / 2) + 499500.0f * float(count);
    for (int32_t i = 0; i < count; ++i)
      EXPECT_EQ(arena[count + i], 3 * ofOneRun);
  }
}

} // namespace
