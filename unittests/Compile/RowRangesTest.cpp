//===- RowRangesTest.cpp - Sums of regularly spaced rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/RowRanges.h"

#include "mlir/Support/LLVM.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace mlir::nnet3;

/// Makes rows of `numEntries` entries for each of `numSequences` sequences.
static IndexRows makeRows(int32_t numEntries, int32_t numSequences = 1,
                          int64_t block = 1) {
  SmallVector<Index> rows;
  for (int32_t t = 0; t < numEntries; ++t)
    rows.push_back({0, t, 0});
  if (numSequences == 1)
    return IndexRows(rows);
  SmallVector<int32_t> sequences;
  for (int32_t n = 0; n < numSequences; ++n)
    sequences.push_back(n);
  return IndexRows(rows, sequences, block);
}

/// Returns the matrix rows that sequence `k` of target `target` sums up.
static std::vector<int64_t> rowsOf(const RowRanges &ranges, int32_t target,
                                   int64_t k, const IndexRows &source) {
  std::vector<int64_t> rows;
  if (ranges.first[target] >= 0)
    for (int64_t row = source.rowOf(ranges.first[target], k);
         row <= source.rowOf(ranges.last[target], k); row += ranges.step)
      rows.push_back(row);
  return rows;
}

/// Expects that every row of the source is added once, to the target in
/// `targets`.
static void expectComplete(ArrayRef<int32_t> targets, int32_t numTargets,
                           const IndexRows &source,
                           const std::vector<RowRanges> &list) {
  for (int64_t k = 0; k < source.numSequences(); ++k) {
    std::map<int64_t, int32_t> found, expected;
    for (const RowRanges &ranges : list)
      for (int32_t target = 0; target < numTargets; ++target)
        for (int64_t row : rowsOf(ranges, target, k, source))
          EXPECT_TRUE(found.emplace(row, target).second) << "row " << row;
    for (auto [entry, target] : llvm::enumerate(targets))
      if (target >= 0)
        expected[source.rowOf(entry, k)] = target;
    EXPECT_EQ(found, expected);
  }
}

/// compile.md 8.4: the ranges of consecutive rows.
TEST(RowRangesTest, RunsOfAValue) {
  auto list = splitIntoRanges({-1, 1, 1, 0, 1, 0, 0}, 2, makeRows(7));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].step, 1);
  EXPECT_EQ(list[0].first, std::vector<int32_t>({5, 1}));
  EXPECT_EQ(list[0].last, std::vector<int32_t>({6, 2}));
  EXPECT_EQ(list[1].first, std::vector<int32_t>({3, 4}));
  EXPECT_EQ(list[1].last, std::vector<int32_t>({3, 4}));
}

/// All frames read one row of each sequence; sequences are innermost.
TEST(RowRangesTest, OneSumForAllFrames) {
  std::vector<int32_t> targets(100, 0);
  for (int32_t numSequences : {1, 8, 512}) {
    IndexRows source = makeRows(100, numSequences);
    auto list = splitIntoRanges(targets, 1, source);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].step, numSequences);
    expectComplete(targets, 1, source, list);
  }
}

/// As above, with the sequences listed explicitly.
TEST(RowRangesTest, SequencesThatAreNotFolded) {
  std::vector<int32_t> targets;
  for (int32_t row = 0; row < 100; ++row)
    targets.push_back(row % 4);
  auto list = splitIntoRanges(targets, 4, makeRows(100));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].step, 4);
}

/// If blocks of frames are innermost, there is one sum per position in the
/// block.
TEST(RowRangesTest, BlocksOfFrames) {
  std::vector<int32_t> targets(99, 0);
  IndexRows source = makeRows(99, 8, /*block=*/3);
  auto list = splitIntoRanges(targets, 1, source);
  EXPECT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].step, 24);
  expectComplete(targets, 1, source, list);
  // All of a sequence in one block: consecutive rows.
  source = makeRows(99, 8, /*block=*/99);
  list = splitIntoRanges(targets, 1, source);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].step, 1);
}

TEST(RowRangesTest, AnyTableIsSummedCompletely) {
  uint64_t state = 7;
  auto below = [&](int32_t end) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return int32_t((state >> 33) % uint64_t(end));
  };
  for (int i = 0; i < 2000; ++i) {
    int32_t block = 1 + below(3), numBlocks = 1 + below(5);
    int32_t numTargets = 1 + below(4), numSequences = 1 + below(3);
    std::vector<int32_t> targets(block * numBlocks);
    for (int32_t &target : targets)
      target = below(numTargets + 1) - 1;
    IndexRows source = makeRows(targets.size(), numSequences, block);
    expectComplete(targets, numTargets, source,
                   splitIntoRanges(targets, numTargets, source));
  }
}
