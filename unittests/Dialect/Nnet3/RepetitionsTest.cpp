//===- RepetitionsTest.cpp - Repeated runs of commands --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir::nnet3;

static bool repeats(const std::vector<int32_t> &symbols, int64_t begin,
                    int64_t period, int64_t rounds) {
  const int64_t end = begin + period * rounds;
  if (end > int64_t(symbols.size()))
    return false;
  for (int64_t i = begin; i + period < end; ++i)
    if (symbols[i] != symbols[i + period])
      return false;
  return true;
}

TEST(RepetitionsTest, FindsTheShortestPeriod) {
  const std::vector<int32_t> symbols = {9, 1, 2, 1, 2, 1, 2, 1, 2, 8};
  const std::vector<Repetition> found = findRepetitions(symbols, 5, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin, 1);
  EXPECT_EQ(found[0].period, 2);
  EXPECT_EQ(found[0].rounds, 4);
}

TEST(RepetitionsTest, NeedsRoundsAndPeriod) {
  const std::vector<int32_t> symbols = {1, 2, 3, 1, 2, 3};
  EXPECT_EQ(findRepetitions(symbols, 3, 2).size(), 1u);
  EXPECT_TRUE(findRepetitions(symbols, 2, 2).empty());
  EXPECT_TRUE(findRepetitions(symbols, 3, 3).empty());
  EXPECT_TRUE(findRepetitions({}, 3, 2).empty());
}

// Repetitions do not overlap, and one is found if any part repeats.
TEST(RepetitionsTest, FindsWhatRepeats) {
  std::mt19937 generator(1);
  for (int number = 0; number < 2000; ++number) {
    const int64_t count = generator() % 40;
    const int32_t numSymbols = 1 + generator() % 6;
    const int64_t maxPeriod = 1 + generator() % 8;
    const int64_t minRounds = 2 + generator() % 3;
    std::vector<int32_t> symbols(count);
    for (int32_t &symbol : symbols)
      symbol = generator() % numSymbols;
    int64_t end = 0;
    for (const Repetition &found :
         findRepetitions(symbols, maxPeriod, minRounds)) {
      ASSERT_GE(found.begin, end);
      ASSERT_LE(found.period, maxPeriod);
      ASSERT_GE(found.rounds, minRounds);
      ASSERT_TRUE(repeats(symbols, found.begin, found.period, found.rounds));
      end = found.end();
    }
    bool isThere = false;
    for (int64_t begin = 0; begin < count; ++begin)
      for (int64_t period = 1; period <= maxPeriod; ++period)
        isThere |= repeats(symbols, begin, period, minRounds);
    EXPECT_EQ(end > 0, isThere);
  }
}
