//===- ThreadPoolTest.cpp - Threads that share the work of one run --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ThreadPool.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace nnet3::rt;

namespace {

/// Counts how often each block is visited; a thread alone writes each.
struct Visits final : RangeTask {
  explicit Visits(int64_t count) : visits(count) {}
  void run(int64_t begin, int64_t end) const override {
    EXPECT_LT(begin, end);
    numRanges.fetch_add(1);
    for (int64_t i = begin; i < end; ++i)
      ++visits[i];
  }

  mutable std::vector<int> visits;
  mutable std::atomic<int> numRanges{0};
};

TEST(ThreadPoolTest, EveryBlockOnce) {
  for (int32_t numThreads : {1, 2, 3, 8}) {
    auto pool = ThreadPool::create(numThreads);
    ASSERT_TRUE(pool);
    for (int64_t count : {0, 1, 2, 7, 8, 1000}) {
      Visits visits(count);
      pool->run(visits, count);
      EXPECT_EQ(visits.visits, std::vector<int>(count, 1));
      EXPECT_EQ(visits.numRanges, std::min<int64_t>(count, numThreads));
    }
  }
}

TEST(ThreadPoolTest, SharesRanges) {
  auto pool = ThreadPool::create(3);
  ASSERT_TRUE(pool);
  for (ThreadPool *threads : {pool.get(), static_cast<ThreadPool *>(nullptr)}) {
    std::vector<int> visits(1000);
    shareRange(threads, 1000, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        ++visits[i];
    });
    EXPECT_EQ(visits, std::vector<int>(1000, 1));
    shareRange(threads, 0, [](int64_t, int64_t) { ADD_FAILURE(); });
  }
}

TEST(ThreadPoolTest, RoundsFollowEachOther) {
  auto pool = ThreadPool::create(3);
  ASSERT_TRUE(pool);
  Visits visits(5);
  for (int i = 0; i < 2000; ++i)
    pool->run(visits, 5);
  EXPECT_EQ(visits.visits, std::vector<int>(5, 2000));
}

TEST(ThreadPoolTest, ThreadsWakeUp) {
  auto pool = ThreadPool::create(3);
  ASSERT_TRUE(pool);
  Visits visits(3);
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pool->run(visits, 3);
  }
  EXPECT_EQ(visits.visits, std::vector<int>(3, 5));
}

/// Its first part takes long.
struct Slow final : RangeTask {
  void run(int64_t begin, int64_t) const override {
    if (begin == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    numDone.fetch_add(1);
  }

  mutable std::atomic<int> numDone{0};
};

TEST(ThreadPoolTest, WaitsForTheSlowest) {
  auto pool = ThreadPool::create(2);
  ASSERT_TRUE(pool);
  Slow slow;
  pool->run(slow, 2);
  EXPECT_EQ(slow.numDone, 2);
}

} // namespace
