//===- PlacementTest.cpp - Places that do not overlap ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/Placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

using namespace nnet3::rt;

namespace {

/// A lifetime that begins or has ended.
struct Event {
  int64_t time;
  bool begins;
  const Lifetime *lifetime;
};

/// The largest number of floats that exist at the same time; -1 if two of them
/// overlap.
int64_t getPeak(const std::vector<Lifetime> &lifetimes) {
  std::vector<Event> events;
  for (const Lifetime &lifetime : lifetimes) {
    events.push_back({lifetime.begin, true, &lifetime});
    events.push_back({lifetime.end + 1, false, &lifetime});
  }
  std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
    return std::pair(a.time, a.begins) < std::pair(b.time, b.begins);
  });
  std::map<int64_t, int64_t> alive; // offset and size
  int64_t size = 0, peak = 0;
  for (const Event &event : events) {
    const Lifetime &lifetime = *event.lifetime;
    if (!event.begins) {
      alive.erase(lifetime.offset);
      size -= lifetime.size;
      continue;
    }
    auto [it, isNew] = alive.emplace(lifetime.offset, lifetime.size);
    if (!isNew)
      return -1;
    auto next = std::next(it);
    if (next != alive.end() && it->first + it->second > next->first)
      return -1;
    if (it != alive.begin() &&
        std::prev(it)->first + std::prev(it)->second > it->first)
      return -1;
    size += lifetime.size;
    peak = std::max(peak, size);
  }
  return peak;
}

TEST(PlacementTest, SharesPlaces) {
  std::vector<Lifetime> lifetimes = {{0, 2, 32}, {1, 3, 16}, {3, 5, 32}};
  EXPECT_EQ(placeLifetimes(lifetimes, 16), 64);
  EXPECT_EQ(getPeak(lifetimes), 48);
  for (const Lifetime &lifetime : lifetimes)
    EXPECT_GE(lifetime.offset, 16);
}

TEST(PlacementTest, RefusesToOverflow) {
  std::vector<Lifetime> lifetimes(1 << 16, {0, 1, kMaxPlacementEnd});
  EXPECT_GT(placeLifetimes(lifetimes, 0), kMaxPlacementEnd);
}

TEST(PlacementTest, Nothing) {
  std::vector<Lifetime> none;
  EXPECT_EQ(placeLifetimes(none, 16), 16);
}

/// A gap between two live buffers is reused, and merged with its neighbour.
TEST(PlacementTest, JoinsGaps) {
  std::vector<Lifetime> lifetimes = {
      {0, 9, 16}, {0, 1, 16}, {0, 2, 16}, {0, 9, 16}, {3, 4, 32}};
  EXPECT_EQ(placeLifetimes(lifetimes, 0), 64);
  EXPECT_EQ(getPeak(lifetimes), 64);
}

/// The steps of a recurrence, each of which leaves one live matrix. Would take
/// hours in quadratic time.
TEST(PlacementTest, LongRecurrence) {
  constexpr int64_t kSteps = 100000;
  std::vector<Lifetime> lifetimes;
  for (int64_t step = 0; step < kSteps; ++step) {
    lifetimes.push_back({3 * step, 3 * step + 2, 5120});
    lifetimes.push_back({3 * step + 1, 3 * step + 4, 2048});
    lifetimes.push_back({3 * step + 2, 3 * kSteps, 512});
  }
  int64_t size = placeLifetimes(lifetimes, 0);
  int64_t peak = getPeak(lifetimes);
  EXPECT_GT(peak, 0);
  EXPECT_LE(size, peak + peak / 20);
}

TEST(PlacementTest, Random) {
  std::mt19937 random(1);
  for (int64_t count : {3, 100, 200000}) {
    std::vector<Lifetime> lifetimes;
    for (int64_t i = 0; i < count; ++i) {
      int64_t begin = random() % (2 * count);
      int64_t length = random() % (random() % 8 ? 20 : 400);
      lifetimes.push_back(
          {begin, begin + length, 16 * int64_t(1 + random() % 99)});
    }
    int64_t size = placeLifetimes(lifetimes, 16);
    int64_t peak = getPeak(lifetimes);
    EXPECT_GT(peak, 0);
    EXPECT_LE(size, 16 + peak + peak / 2) << count;
  }
}

} // namespace
