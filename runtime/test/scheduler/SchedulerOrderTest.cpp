//===- SchedulerOrderTest.cpp - Fairness and backpressure -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SchedulerTesting.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

using Floats = std::vector<float>;

// A stream that always has frames does not keep others waiting: between two of
// its steps, all that have waited for longer have theirs.
TEST(SchedulerOrderTest, NobodyStarves) {
  Collector collector;
  nnet3sc_options options = collector.options();
  options.push_waits = 1;
  options.max_batch = 1;
  TestScheduler test(options);
  std::atomic<bool> isOver{false};
  const nnet3sc_stream greedy = test.open();
  std::thread pusher([&] {
    const Floats frames(64, 1);
    while (!isOver)
      nnet3sc_push(test.scheduler, greedy, frames.data(), 64, nullptr, nullptr);
  });
  for (uint32_t i = 0; i < 50; ++i) {
    const nnet3sc_stream stream = test.open();
    const Floats frames = makeFrames(i, 9);
    nnet3sc_push(test.scheduler, stream, frames.data(), 9, nullptr, nullptr);
    nnet3sc_close(test.scheduler, stream);
    collector.awaitEnds(i + 1);
    EXPECT_EQ(collector.get(stream).rows, SmallStream::compute(frames));
  }
  isOver = true;
  pusher.join();
}

// Streams come in the order in which their chunks could be computed, not in
// that of their oldest frames: the end of a stream, whose last chunk may have
// no new frame, is not late.
TEST(SchedulerOrderTest, WhoIsReadyFirst) {
  struct Ends {
    static void take(void *context, nnet3sc_stream number,
                     const nnet3sc_result *result) {
      auto &ends = *static_cast<Ends *>(context);
      const std::lock_guard<std::mutex> hold(ends.lock);
      if (result->is_last)
        ends.order.push_back(number);
      ends.changed.notify_all();
    }
    std::mutex lock;
    std::condition_variable changed;
    std::vector<nnet3sc_stream> order;
  } ends;
  Gate gate;
  nnet3sc_options options = {};
  options.on_result = Ends::take;
  options.context = &ends;
  TestScheduler test(options, Gate::functions());
  const Floats frames = makeFrames(1, 9);
  const auto push = [&](nnet3sc_stream stream, int32_t count) {
    nnet3sc_push(test.scheduler, stream, frames.data(), count, nullptr,
                 nullptr);
  };
  const nnet3sc_stream held = test.open(), slow = test.open(),
                       fast = test.open();
  push(held, 3);
  gate.awaitStep();
  push(slow, 1);
  push(fast, 3);
  nnet3sc_close(test.scheduler, fast);
  push(slow, 1);
  nnet3sc_close(test.scheduler, slow);
  nnet3sc_close(test.scheduler, held);
  gate.open();
  std::unique_lock<std::mutex> hold(ends.lock);
  ends.changed.wait(hold, [&] { return ends.order.size() == 3; });
  EXPECT_EQ(ends.order, std::vector<nnet3sc_stream>({held, fast, slow}));
}

/// Streams whose queues are always full: each result frees space for more
/// frames.
struct Flood {
  struct Stream {
    nnet3sc_stream number;
    Floats frames, outputs;
    size_t taken = 0;
    bool hasEnded = false;
  };

  static void take(void *context, nnet3sc_stream number,
                   const nnet3sc_result *result) {
    auto &flood = *static_cast<Flood *>(context);
    const std::lock_guard<std::mutex> hold(flood.lock);
    size_t least = ~size_t(0), most = 0;
    for (Stream &stream : flood.streams) {
      if (stream.number == number) {
        stream.outputs.insert(stream.outputs.end(), result->rows,
                              result->rows + result->num_rows);
        stream.hasEnded = result->is_last;
        if (!stream.hasEnded)
          flood.fill(stream);
      }
      least = std::min(least, stream.outputs.size());
      most = std::max(most, stream.outputs.size());
    }
    flood.mostApart = std::max(flood.mostApart, most - least);
    flood.changed.notify_all();
  }

  void fill(Stream &stream) {
    int32_t count = 0;
    nnet3sc_push(scheduler, stream.number, stream.frames.data() + stream.taken,
                 int32_t(stream.frames.size() - stream.taken), nullptr, &count);
    stream.taken += size_t(count);
    if (count > 0 && stream.taken == stream.frames.size())
      nnet3sc_close(scheduler, stream.number);
  }

  bool hasEnded() const {
    return std::all_of(streams.begin(), streams.end(),
                       [](const Stream &stream) { return stream.hasEnded; });
  }

  std::mutex lock;
  std::condition_variable changed;
  nnet3sc_scheduler *scheduler = nullptr;
  std::vector<Stream> streams;
  size_t mostApart = 0;
};

// More frames than can be computed: all streams advance alike, and what is
// taken is computed.
TEST(SchedulerOrderTest, OverloadSlowsAllAlike) {
  Gate gate;
  Flood flood;
  nnet3sc_options options = {};
  options.on_result = Flood::take;
  options.context = &flood;
  TestScheduler test(options, Gate::functions());
  flood.scheduler = test.scheduler;
  std::unique_lock<std::mutex> hold(flood.lock);
  for (uint32_t i = 0; i < 40; ++i) {
    flood.streams.push_back({test.open(), makeFrames(i, 500), {}});
    flood.fill(flood.streams.back());
    EXPECT_GT(flood.streams.back().taken, 0u);
  }
  gate.open();
  flood.changed.wait(hold, [&] { return flood.hasEnded(); });
  for (const Flood::Stream &stream : flood.streams)
    EXPECT_EQ(stream.outputs, SmallStream::compute(stream.frames));
  // The queue of the first, and a chunk.
  EXPECT_LE(flood.mostApart, 12u);
}

TEST(SchedulerOrderTest, PushSaysWouldBlock) {
  Gate gate;
  TestScheduler test({}, Gate::functions());
  const nnet3sc_stream stream = test.open();
  const Floats frames = makeFrames(1, 40);
  int32_t count = 0;
  // The step takes the frames that it needs.
  nnet3sc_push(test.scheduler, stream, frames.data(), 3, nullptr, &count);
  gate.awaitStep();
  EXPECT_EQ(nnet3sc_push(test.scheduler, stream, frames.data() + 3, 37, nullptr,
                         &count),
            NNET3SC_WOULD_BLOCK);
  EXPECT_EQ(count, 9);
  EXPECT_EQ(
      nnet3sc_push(test.scheduler, stream, frames.data(), 1, nullptr, &count),
      NNET3SC_WOULD_BLOCK);
  EXPECT_EQ(count, 0);
  gate.open();
  nnet3sc_close(test.scheduler, stream);
  EXPECT_EQ(test.pollAll(stream),
            SmallStream::compute(Floats(frames.begin(), frames.begin() + 12)));
}

// Unpolled outputs stop the stream and its pushes.
TEST(SchedulerOrderTest, OutputsWaitToBePolled) {
  nnet3sc_options options = {};
  options.push_waits = 1;
  TestScheduler test(options);
  const nnet3sc_stream stream = test.open();
  const Floats frames = makeFrames(1, 1000);
  std::thread pusher([&] {
    EXPECT_EQ(nnet3sc_push(test.scheduler, stream, frames.data(), 1000, nullptr,
                           nullptr),
              NNET3SC_OK);
    nnet3sc_close(test.scheduler, stream);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // Outputs of max_frames frames and of two chunks.
  EXPECT_LE(test.getMetrics().num_outputs, 9u + 2 * 4u);
  EXPECT_EQ(test.pollAll(stream), SmallStream::compute(frames));
  pusher.join();
}

TEST(SchedulerOrderTest, CloseWhileQueued) {
  Gate gate;
  Collector collector;
  TestScheduler test(collector.options(), Gate::functions());
  const nnet3sc_stream stream = test.open();
  const Floats frames = makeFrames(1, 8);
  nnet3sc_push(test.scheduler, stream, frames.data(), 3, nullptr, nullptr);
  gate.awaitStep();
  nnet3sc_push(test.scheduler, stream, &frames[3], 5, nullptr, nullptr);
  EXPECT_EQ(nnet3sc_close(test.scheduler, stream), NNET3SC_OK);
  EXPECT_EQ(nnet3sc_close(test.scheduler, stream), NNET3SC_CLOSED);
  EXPECT_EQ(
      nnet3sc_push(test.scheduler, stream, frames.data(), 1, nullptr, nullptr),
      NNET3SC_CLOSED);
  gate.open();
  collector.awaitEnds(1);
  EXPECT_EQ(collector.get(stream).rows, SmallStream::compute(frames));
}

/// Pushes from a callback until the queue is full.
struct Echo {
  static void take(void *context, nnet3sc_stream stream,
                   const nnet3sc_result *result) {
    auto &echo = *static_cast<Echo *>(context);
    const std::lock_guard<std::mutex> hold(echo.lock);
    echo.numRows += result->num_rows;
    echo.hasEnded = result->is_last;
    const Floats frames(64, 1);
    int32_t count = 0;
    if (echo.numRows < 100)
      echo.status = nnet3sc_push(echo.scheduler, stream, frames.data(), 64,
                                 nullptr, &count);
    else if (!echo.isClosed)
      echo.isClosed = nnet3sc_close(echo.scheduler, stream) == NNET3SC_OK;
    echo.changed.notify_all();
  }

  std::mutex lock;
  std::condition_variable changed;
  nnet3sc_scheduler *scheduler = nullptr;
  int32_t numRows = 0;
  bool isClosed = false, hasEnded = false;
  nnet3sc_status status = NNET3SC_OK;
};

TEST(SchedulerOrderTest, PushInACallbackDoesNotWait) {
  Echo echo;
  nnet3sc_options options = {};
  options.push_waits = 1;
  options.on_result = Echo::take;
  options.context = &echo;
  TestScheduler test(options);
  echo.scheduler = test.scheduler;
  const nnet3sc_stream stream = test.open();
  const Floats frames(4, 1);
  nnet3sc_push(test.scheduler, stream, frames.data(), 4, nullptr, nullptr);
  std::unique_lock<std::mutex> hold(echo.lock);
  echo.changed.wait(hold, [&] { return echo.hasEnded; });
  EXPECT_EQ(echo.status, NNET3SC_WOULD_BLOCK);
  EXPECT_GE(echo.numRows, 100);
}

} // namespace
