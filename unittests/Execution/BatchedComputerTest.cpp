//===- BatchedComputerTest.cpp - Chunks of several utterances at once -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/BatchedComputer.h"

#include "gtest/gtest.h"

using namespace mlir::nnet3;

namespace {

TEST(BatchedComputer, ChoosesTheSmallestBatchThatSuffices) {
  EXPECT_EQ(getBatchSize(128, 128, 0.5f), 128);
  EXPECT_EQ(getBatchSize(65, 128, 0.5f), 128);
  EXPECT_EQ(getBatchSize(64, 128, 0.5f), 64);
  EXPECT_EQ(getBatchSize(3, 128, 0.5f), 4);
  EXPECT_EQ(getBatchSize(1, 128, 0.5f), 1);
  EXPECT_EQ(getBatchSize(2, 5, 0.5f), 2);
  EXPECT_EQ(getBatchSize(1, 3, 0.5f), 1);
  EXPECT_EQ(getBatchSize(1, 128, 0.9f), 1);
  // Always the full size.
  EXPECT_EQ(getBatchSize(1, 128, 0), 128);
}

} // namespace
