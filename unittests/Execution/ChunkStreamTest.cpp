//===- ChunkStreamTest.cpp - Lengths of a stream's chunks -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChunkStream.h"

#include "gtest/gtest.h"

using namespace mlir::nnet3;

namespace {

TEST(ChunkStreamTest, LengthOfTheNextChunk) {
  const llvm::SmallVector<int64_t> lengths = {6, 21, 51};
  const int64_t any = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(chooseChunkLength(lengths, /*usual=*/51, any), 51);
  EXPECT_EQ(chooseChunkLength(lengths, /*usual=*/21, any), 21);
  EXPECT_EQ(chooseChunkLength(lengths, /*usual=*/21, 500), 21);
  // The shortest that has all frames that are left.
  EXPECT_EQ(chooseChunkLength(lengths, /*usual=*/51, 50), 51);
  EXPECT_EQ(chooseChunkLength(lengths, /*usual=*/51, 21), 21);
  EXPECT_EQ(chooseChunkLength(lengths, /*usual=*/51, 1), 6);
  // The usual one cannot begin a stream, or is rounded up.
  EXPECT_EQ(chooseChunkLength(lengths, /*usual=*/20, any), 21);
  EXPECT_EQ(chooseChunkLength({51}, /*usual=*/21, any), 51);
  EXPECT_EQ(chooseChunkLength({6}, /*usual=*/51, any), 6);
}

} // namespace
