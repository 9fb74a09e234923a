//===- ArenaPlannerTest.cpp - Where matrices lie --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ArenaPlanner.h"

#include <gtest/gtest.h>
#include <map>

using namespace nnet3::rt;

namespace {

TEST(ArenaPlannerTest, ReusesAndJoinsRanges) {
  ArenaPlanner arena;
  const uint64_t a = arena.allocate(32), b = arena.allocate(32),
                 c = arena.allocate(16);
  EXPECT_EQ(arena.size(), 80u);
  arena.release(a, 32);
  arena.release(b, 32);
  EXPECT_EQ(arena.allocate(64), a) << "neighbours are joined";
  arena.release(c, 16);
  EXPECT_EQ(arena.allocate(48), c) << "a range at the end grows";
  EXPECT_EQ(arena.size(), 112u);
}

TEST(ArenaPlannerTest, TakesTheSmallestThatFits) {
  ArenaPlanner arena;
  const uint64_t large = arena.allocate(160);
  arena.allocate(16);
  const uint64_t small = arena.allocate(48);
  arena.allocate(16);
  arena.release(large, 160);
  arena.release(small, 48);
  EXPECT_EQ(arena.allocate(33), small);
}

TEST(ArenaPlannerTest, LiveRangesNeverOverlap) {
  ArenaPlanner arena;
  std::map<uint64_t, uint64_t> live;
  uint32_t state = 1;
  auto next = [&](uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  for (int step = 0; step < 5000; ++step) {
    if (live.size() > 20 || (!live.empty() && next(3) == 0)) {
      auto victim = std::next(live.begin(), next(uint32_t(live.size())));
      arena.release(victim->first, victim->second);
      live.erase(victim);
      continue;
    }
    const uint64_t size = 1 + next(500);
    const uint64_t offset = arena.allocate(size);
    ASSERT_EQ(offset % ArenaPlanner::kAlignment, 0u);
    auto after = live.lower_bound(offset);
    ASSERT_TRUE(after == live.end() || offset + size <= after->first);
    ASSERT_TRUE(after == live.begin() ||
                std::prev(after)->first + std::prev(after)->second <= offset);
    ASSERT_LE(offset + size, arena.size());
    live.emplace(offset, size);
  }
  EXPECT_LT(arena.size(), 21u * 512 * 3) << "memory is reused";
}

} // namespace
