//===- MinibatchSizesTest.cpp - How many examples make a minibatch --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/MinibatchSizes.h"
#include "gtest/gtest.h"

using namespace mlir::nnet3;

static MinibatchSizes parse(const char *text) {
  auto sizes = MinibatchSizes::parse(text);
  EXPECT_TRUE(bool(sizes)) << text;
  return std::move(*sizes);
}

TEST(MinibatchSizes, OneSize) {
  MinibatchSizes sizes = parse("64");
  EXPECT_EQ(sizes.getLargest(10), 64);
  EXPECT_EQ(sizes.getLargestOf(10, 63), 0);
  EXPECT_EQ(sizes.getLargestOf(10, 64), 64);
  EXPECT_EQ(sizes.getLargestOf(10, 100), 64);
}

TEST(MinibatchSizes, RangesAndSizes) {
  MinibatchSizes sizes = parse("2,16:32,64");
  EXPECT_EQ(sizes.getLargest(10), 64);
  for (auto [available, largest] :
       {std::pair(1, 0), std::pair(2, 2), std::pair(15, 2), std::pair(16, 16),
        std::pair(20, 20), std::pair(40, 32), std::pair(70, 64)})
    EXPECT_EQ(sizes.getLargestOf(10, available), largest) << available;
}

TEST(MinibatchSizes, AnyOrder) {
  MinibatchSizes sizes = parse("4,64,2,16:32");
  EXPECT_EQ(sizes.getLargest(10), 64);
  EXPECT_EQ(sizes.getLargestOf(10, 63), 32);
  EXPECT_EQ(sizes.getLargestOf(10, 5), 4);
}

TEST(MinibatchSizes, TheClosestRuleCounts) {
  MinibatchSizes sizes = parse("80=128/160=32,64/100=7");
  EXPECT_EQ(sizes.getLargest(1), 128);
  EXPECT_EQ(sizes.getLargest(89), 128);
  // As close to 80 as to 100: the first.
  EXPECT_EQ(sizes.getLargest(90), 128);
  EXPECT_EQ(sizes.getLargest(91), 7);
  EXPECT_EQ(sizes.getLargest(1000), 64);
  EXPECT_EQ(sizes.getLargestOf(1000, 40), 32);
}

TEST(MinibatchSizes, Errors) {
  for (const char *text : {"", "0", "-1", "a", "4:2", "1:", "8=", "=4", "8=4/4",
                           "1,", "2147483648"}) {
    auto sizes = MinibatchSizes::parse(text);
    EXPECT_FALSE(bool(sizes)) << text;
    llvm::consumeError(sizes.takeError());
  }
}
