//===- StreamFactsTest.cpp - Tests of what schedulers know of streams -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scheduler/StreamFacts.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;

namespace {

StreamFacts makeFacts(const std::vector<int32_t> &sizes) {
  StreamFacts facts;
  facts.info.batch_sizes = sizes.data();
  facts.info.num_batch_sizes = static_cast<int32_t>(sizes.size());
  return facts;
}

TEST(StreamFactsTest, MostStreamsForTheirCost) {
  const std::vector<int32_t> sizes = {1, 4, 16};
  const StreamFacts facts = makeFacts(sizes);
  // For 0 and more.
  const std::vector<size_t> expected = {0, 1, 1, 3, 4, 4, 4,  4,  4,
                                        4, 4, 4, 4, 4, 4, 15, 16, 16};
  for (size_t numReady = 0; numReady < expected.size(); ++numReady)
    EXPECT_EQ(facts.chooseBatch(numReady, 16), expected[numReady]) << numReady;
}

TEST(StreamFactsTest, FullBatches) {
  const std::vector<int32_t> sizes = {1, 4};
  const StreamFacts facts = makeFacts(sizes);
  EXPECT_EQ(facts.chooseBatch(11, 64), 8u);
  EXPECT_EQ(facts.chooseBatch(11, 7), 4u);
  EXPECT_EQ(facts.chooseBatch(11, 2), 1u);
}

TEST(StreamFactsTest, WithoutSmallBatches) {
  const std::vector<int32_t> sizes = {8};
  const StreamFacts facts = makeFacts(sizes);
  EXPECT_EQ(facts.chooseBatch(5, 64), 5u);
  EXPECT_EQ(facts.chooseBatch(12, 64), 8u);
  EXPECT_EQ(facts.chooseBatch(12, 6), 6u);
}

} // namespace
