//===- BatchPlanTest.cpp - Splits streams into batches --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "library/BatchPlan.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;

/// Returns the sizes of the batches for a number of streams.
static std::vector<int32_t> cut(const std::vector<int32_t> &sizes,
                                int64_t numStreams) {
  const BatchPlan plan(sizes);
  std::vector<int32_t> batches;
  while (numStreams > 0) {
    batches.push_back(sizes[plan.choose(numStreams)]);
    numStreams -= batches.back();
  }
  return batches;
}

TEST(BatchPlanTest, LeastCost) {
  using Sizes = std::vector<int32_t>;
  const Sizes sizes = {1, 4, 16};
  EXPECT_EQ(cut(sizes, 1), Sizes({1}));
  EXPECT_EQ(cut(sizes, 2), Sizes({1, 1}));
  EXPECT_EQ(cut(sizes, 3), Sizes({1, 1, 1}));
  EXPECT_EQ(cut(sizes, 5), Sizes({4, 1}));
  EXPECT_EQ(cut(sizes, 9), Sizes({4, 4, 1}));
  EXPECT_EQ(cut(sizes, 12), Sizes({4, 4, 4}));
  EXPECT_EQ(cut(sizes, 13), Sizes({4, 4, 4, 1}));
  EXPECT_EQ(cut(sizes, 15), Sizes({16}));
  EXPECT_EQ(cut(sizes, 35), Sizes({16, 16, 1, 1, 1}));
}

TEST(BatchPlanTest, WithoutOne) {
  using Sizes = std::vector<int32_t>;
  EXPECT_EQ(cut({4, 16}, 1), Sizes({4}));
  EXPECT_EQ(cut({4, 16}, 5), Sizes({4, 4}));
  EXPECT_EQ(cut({3}, 7), Sizes({3, 3, 3}));
}

TEST(BatchPlanTest, AllStreamsAreIn) {
  for (const std::vector<int32_t> &sizes :
       {std::vector<int32_t>{1}, {1, 2}, {1, 4, 16}, {7, 9}, {2, 3, 64}})
    for (int64_t numStreams = 1; numStreams < 200; ++numStreams) {
      int64_t slots = 0;
      for (const int32_t size : cut(sizes, numStreams))
        slots += size;
      EXPECT_GE(slots, numStreams);
      EXPECT_LT(slots - numStreams, sizes.back());
    }
}
