//===- SchedulerTest.cpp - Streams of a scheduler -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SchedulerTesting.h"

#include <future>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

using Floats = std::vector<float>;

TEST(SchedulerTest, Info) {
  TestScheduler test;
  ASSERT_EQ(test.status, NNET3SC_OK) << test.message;
  auto info = sized<nnet3sc_info>();
  ASSERT_EQ(nnet3sc_get_info(test.scheduler, &info), NNET3SC_OK);
  EXPECT_EQ(info.input_dim, 1);
  EXPECT_EQ(info.ivector_dim, 0);
  EXPECT_EQ(info.output_dim, 1);
  EXPECT_EQ(info.frame_subsampling_factor, 1);
  EXPECT_EQ(info.right_context, 1);
  EXPECT_EQ(info.shortest_chunk, 2);
  EXPECT_EQ(info.longest_chunk, 4);
  EXPECT_EQ(info.max_batch, 4);
  EXPECT_EQ(info.max_frames, 4 + 1 + 4);
}

TEST(SchedulerTest, PolledOutputs) {
  TestScheduler test;
  for (size_t length : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    const Floats frames = makeFrames(uint32_t(length), length);
    const nnet3sc_stream stream = test.open();
    int32_t taken = 0;
    ASSERT_EQ(nnet3sc_push(test.scheduler, stream, frames.data(),
                           int32_t(length), nullptr, &taken),
              NNET3SC_OK);
    EXPECT_EQ(taken, int32_t(length));
    ASSERT_EQ(nnet3sc_close(test.scheduler, stream), NNET3SC_OK);
    EXPECT_EQ(test.pollAll(stream), SmallStream::compute(frames));
    float row;
    int32_t count;
    EXPECT_EQ(nnet3sc_poll(test.scheduler, stream, &row, 1, 0, &count),
              NNET3SC_NO_SUCH_STREAM);
  }
  const nnet3sc_metrics metrics = test.getMetrics();
  EXPECT_EQ(metrics.num_opened, 9u);
  EXPECT_EQ(metrics.num_ended, 9u);
  EXPECT_EQ(metrics.num_failed, 0u);
  EXPECT_EQ(metrics.num_streams, 0u);
  EXPECT_EQ(metrics.num_frames, 45u);
  EXPECT_EQ(metrics.num_outputs, 45u);
}

TEST(SchedulerTest, OutputsComeWhileFramesDo) {
  TestScheduler test;
  const nnet3sc_stream stream = test.open();
  const Floats frames = {1, 2, 3};
  ASSERT_EQ(
      nnet3sc_push(test.scheduler, stream, frames.data(), 3, nullptr, nullptr),
      NNET3SC_OK);
  float rows[4];
  int32_t count;
  ASSERT_EQ(nnet3sc_poll(test.scheduler, stream, rows, 4, 10, &count),
            NNET3SC_OK);
  ASSERT_EQ(count, 2);
  EXPECT_EQ(rows[0], 1 + 2 + 8);
  EXPECT_EQ(nnet3sc_poll(test.scheduler, stream, rows, 4, 0, &count),
            NNET3SC_WOULD_BLOCK);
  EXPECT_EQ(nnet3sc_poll(test.scheduler, stream, rows, 4, 0.001, &count),
            NNET3SC_WOULD_BLOCK);
  EXPECT_EQ(count, 0);
}

/// Outputs of a step that began before the poll, and of the steps that free
/// space for the frames, come after the poll.
TEST(SchedulerTest, PushesAndPollsOnOneThread) {
  Gate gate;
  nnet3sc_options options = {};
  options.push_waits = 1;
  TestScheduler test(options, Gate::functions());
  const nnet3sc_stream stream = test.open();
  const Floats frames = makeFrames(1, 9);
  ASSERT_EQ(
      nnet3sc_push(test.scheduler, stream, frames.data(), 5, nullptr, nullptr),
      NNET3SC_OK);
  gate.awaitStep();
  ASSERT_EQ(
      nnet3sc_push(test.scheduler, stream, frames.data(), 9, nullptr, nullptr),
      NNET3SC_OK);
  float row;
  int32_t count;
  ASSERT_EQ(nnet3sc_poll(test.scheduler, stream, &row, 1, 0, &count),
            NNET3SC_WOULD_BLOCK);
  gate.open();
  std::future<nnet3sc_status> pushed = std::async(std::launch::async, [&] {
    return nnet3sc_push(test.scheduler, stream, frames.data(), 9, nullptr,
                        nullptr);
  });
  const bool isDone =
      pushed.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
  EXPECT_TRUE(isDone);
  if (!isDone)
    nnet3sc_cancel(test.scheduler, stream);
  EXPECT_EQ(pushed.get(), NNET3SC_OK);
}

TEST(SchedulerTest, Callbacks) {
  Collector collector;
  TestScheduler test(collector.options());
  std::vector<nnet3sc_stream> streams;
  for (uint32_t i = 0; i < 20; ++i) {
    streams.push_back(test.open());
    const Floats frames = makeFrames(i, i % 8);
    ASSERT_EQ(nnet3sc_push(test.scheduler, streams.back(), frames.data(),
                           int32_t(frames.size()), nullptr, nullptr),
              NNET3SC_OK);
    ASSERT_EQ(nnet3sc_close(test.scheduler, streams.back()), NNET3SC_OK);
  }
  collector.awaitEnds(20);
  test.destroy();
  for (uint32_t i = 0; i < 20; ++i) {
    const Collector::Given given = collector.get(streams[i]);
    EXPECT_EQ(given.status, NNET3SC_OK);
    if (i % 8 > 0)
      EXPECT_EQ(given.rows, SmallStream::compute(makeFrames(i, i % 8)));
    else
      EXPECT_TRUE(given.rows.empty());
  }
}

TEST(SchedulerTest, Pinned) {
  Collector collector;
  nnet3sc_options options = collector.options();
  options.num_workers = 3;
  options.pin_workers = 1;
  TestScheduler test(options);
  const nnet3sc_stream stream = test.open();
  const Floats frames = makeFrames(1, 9);
  ASSERT_EQ(
      nnet3sc_push(test.scheduler, stream, frames.data(), 9, nullptr, nullptr),
      NNET3SC_OK);
  ASSERT_EQ(nnet3sc_close(test.scheduler, stream), NNET3SC_OK);
  collector.awaitEnds(1);
  EXPECT_EQ(collector.get(stream).rows, SmallStream::compute(frames));
}

// Streams that wait for a worker are computed in one batch; after long waits in
// long chunks.
TEST(SchedulerTest, BatchesAndMetrics) {
  Gate gate;
  Collector collector;
  TestScheduler test(collector.options(), Gate::functions());
  const nnet3sc_stream first = test.open();
  const Floats three = makeFrames(1, 3), nine = makeFrames(2, 9);
  nnet3sc_push(test.scheduler, first, three.data(), 3, nullptr, nullptr);
  gate.awaitStep();
  // Meanwhile eight short streams come, and a long one.
  std::vector<nnet3sc_stream> streams;
  for (int i = 0; i < 9; ++i) {
    streams.push_back(test.open());
    const bool isLong = i == 7;
    nnet3sc_push(test.scheduler, streams.back(),
                 isLong ? nine.data() : three.data(), isLong ? 9 : 3, nullptr,
                 nullptr);
  }
  nnet3sc_close(test.scheduler, streams[7]);
  EXPECT_EQ(test.getMetrics().num_ready, 9u);
  gate.open();
  collector.awaitEnds(1);
  while (test.getMetrics().num_chunks < 13)
    std::this_thread::yield();
  using Step = std::pair<int32_t, int32_t>;
  // First alone; the oldest four; the next ones, with the long one in a short
  // chunk; then the rest of the long one and the ninth, which is younger, one
  // by one.
  EXPECT_EQ(gate.getSteps(),
            (std::vector<Step>{
                {1, 2}, {4, 2}, {4, 2}, {1, 4}, {1, 2}, {1, 2}, {1, 2}}));
  EXPECT_EQ(collector.get(streams[7]).rows, SmallStream::compute(nine));
  uint64_t sizes[5] = {7, 7, 7, 7, 7};
  auto metrics = sized<nnet3sc_metrics>();
  metrics.batch_sizes = sizes;
  metrics.num_batch_sizes = 5;
  ASSERT_EQ(nnet3sc_get_metrics(test.scheduler, &metrics), NNET3SC_OK);
  EXPECT_EQ(metrics.num_steps, 7u);
  EXPECT_EQ(metrics.num_chunks, 13u);
  EXPECT_EQ(sizes[0], 5u);
  EXPECT_EQ(sizes[1], 0u);
  EXPECT_EQ(sizes[2], 0u);
  EXPECT_EQ(sizes[3], 2u);
  EXPECT_EQ(sizes[4], 0u);
  EXPECT_EQ(metrics.num_streams, 9u);
  EXPECT_EQ(metrics.num_ready, 0u);
  EXPECT_EQ(metrics.num_outputs, 9u * 2 + 9);
  EXPECT_GT(metrics.utilisation, 0);
  EXPECT_LE(metrics.utilisation, 1);
  EXPECT_GT(metrics.latency_p50, 0);
  EXPECT_LE(metrics.latency_p50, metrics.latency_p99);
  EXPECT_LE(metrics.latency_p99, metrics.latency_max);
  EXPECT_LE(metrics.delay_max, metrics.latency_max);
  ASSERT_EQ(nnet3sc_reset_metrics(test.scheduler), NNET3SC_OK);
  EXPECT_EQ(test.getMetrics().num_steps, 0u);
}

TEST(SchedulerTest, Deadline) {
  Gate gate;
  gate.open();
  nnet3sc_options options = {};
  options.max_wait = 3000;
  TestScheduler test(options, Gate::functions());
  const Floats frames = makeFrames(1, 3);
  std::vector<nnet3sc_stream> streams;
  const auto push = [&] {
    streams.push_back(test.open());
    nnet3sc_push(test.scheduler, streams.back(), frames.data(), 3, nullptr,
                 nullptr);
  };
  for (int i = 0; i < 3; ++i)
    push();
  float rows[2];
  int32_t count = 0;
  EXPECT_EQ(nnet3sc_poll(test.scheduler, streams[0], rows, 2, 0.02, &count),
            NNET3SC_WOULD_BLOCK);
  // The fourth makes the batch full.
  push();
  EXPECT_EQ(nnet3sc_poll(test.scheduler, streams[0], rows, 2, 10, &count),
            NNET3SC_OK);
  EXPECT_EQ(gate.getSteps(),
            (std::vector<std::pair<int32_t, int32_t>>{{4, 2}}));
}

TEST(SchedulerTest, TheEndDoesNotWait) {
  nnet3sc_options options = {};
  options.max_wait = 3000;
  TestScheduler test(options);
  for (const size_t length : {1, 3, 8}) {
    const Floats frames = makeFrames(1, length);
    const nnet3sc_stream stream = test.open();
    nnet3sc_push(test.scheduler, stream, frames.data(), int32_t(length),
                 nullptr, nullptr);
    nnet3sc_close(test.scheduler, stream);
    EXPECT_EQ(test.pollAll(stream), SmallStream::compute(frames));
  }
}

TEST(SchedulerTest, DeadlinePasses) {
  nnet3sc_options options = {};
  options.max_wait = 0.05;
  TestScheduler test(options);
  const auto start = std::chrono::steady_clock::now();
  const nnet3sc_stream stream = test.open();
  const Floats frames = makeFrames(1, 3);
  nnet3sc_push(test.scheduler, stream, frames.data(), 3, nullptr, nullptr);
  float rows[2];
  int32_t count = 0;
  EXPECT_EQ(nnet3sc_poll(test.scheduler, stream, rows, 2, 10, &count),
            NNET3SC_OK);
  EXPECT_GE(std::chrono::steady_clock::now() - start,
            std::chrono::milliseconds(50));
}

} // namespace
