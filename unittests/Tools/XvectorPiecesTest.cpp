//===- XvectorPiecesTest.cpp - Tests of the pieces of an utterance --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../lib/Tools/Xvector/XvectorPieces.h"
#include "gtest/gtest.h"

using namespace mlir::nnet3;

TEST(XvectorPieces, OneAfterTheOther) {
  auto pieces = splitIntoPieces(250, 100, 60, /*padInput=*/true);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[2].firstFrame, 200);
  EXPECT_EQ(pieces[2].numFrames, 50);
  EXPECT_EQ(pieces[2].padBefore, 5);
  EXPECT_EQ(pieces[2].padBehind, 5);
  EXPECT_EQ(splitIntoPieces(250, 100, 60, /*padInput=*/false).size(), 2u);
  EXPECT_EQ(splitIntoPieces(59, 100, 60, /*padInput=*/false).size(), 0u);
  pieces = splitIntoPieces(250, -1, 60, /*padInput=*/true);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].getLength(), 250);
  pieces = splitIntoPieces(7, 100, 10, /*padInput=*/true);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].padBefore, 1);
  EXPECT_EQ(pieces[0].padBehind, 2);
}

// For all lengths, chunks lie inside the utterance in order, and omitted frames
// are distributed evenly.
TEST(XvectorPieces, SpreadEvenly) {
  const int64_t chunk = 60, context = 14, seen = chunk - context;
  for (int64_t frames = 1; frames < 1000; ++frames) {
    auto pieces = splitEvenly(frames, chunk, context, /*padInput=*/true);
    ASSERT_FALSE(pieces.empty());
    int64_t last = -1, fewest = frames, most = -frames;
    for (size_t i = 0; i < pieces.size(); ++i) {
      EXPECT_EQ(pieces[i].getLength(), chunk);
      EXPECT_GT(pieces[i].firstFrame, last);
      EXPECT_LE(pieces[i].firstFrame + pieces[i].numFrames, frames);
      last = pieces[i].firstFrame;
      if (i == 0)
        continue;
      const int64_t gap =
          pieces[i].firstFrame - pieces[i - 1].firstFrame - seen;
      fewest = std::min(fewest, gap);
      most = std::max(most, gap);
    }
    EXPECT_LE(most - fewest, 1) << frames;
    // With overlap, the last chunk ends where the utterance does.
    if (pieces.size() > 1 && most < 0)
      EXPECT_EQ(last + chunk, frames);
  }
  EXPECT_TRUE(splitEvenly(59, chunk, context, /*padInput=*/false).empty());
}
