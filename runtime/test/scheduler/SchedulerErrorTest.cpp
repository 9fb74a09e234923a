//===- SchedulerErrorTest.cpp - Errors of schedulers ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SchedulerTesting.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

extern "C" nnet3sc_status create_scheduler_in_c(const char *path);

namespace {

using Floats = std::vector<float>;

TEST(SchedulerErrorTest, Options) {
  const auto check = [](nnet3sc_options options, const char *message) {
    TestScheduler test(options);
    EXPECT_EQ(test.status, NNET3SC_INVALID_ARGUMENT);
    EXPECT_EQ(test.scheduler, nullptr);
    EXPECT_EQ(test.message, message);
  };
  nnet3sc_options options = {};
  options.num_workers = -1;
  check(options, "expects num_workers between 1 and 1024, but got -1");
  options = {};
  options.max_batch = 5000;
  check(options, "expects max_batch between 1 and 4096, but got 5000");
  options = {};
  options.max_wait = -1e-9;
  check(options, "expects max_wait between 0 and 3600, but got -1e-09");
  options.max_wait = 3600.125;
  check(options, "expects max_wait between 0 and 3600, but got 3600.125");
  options.max_wait = std::numeric_limits<double>::quiet_NaN();
  check(options, "expects max_wait between 0 and 3600, but got nan");
  options = {};
  options.max_frames = 4;
  check(options, "expects max_frames between 5 and 1048576, but got 4");
}

TEST(SchedulerErrorTest, Libraries) {
  char message[256] = "";
  auto options = sized<nnet3sc_options>();
  options.message = message;
  options.message_size = sizeof(message);
  nnet3sc_scheduler *scheduler = nullptr;
  EXPECT_EQ(nnet3sc_create("/nowhere/at/all.so", "demo", nullptr, &options,
                           &scheduler),
            NNET3SC_CANNOT_OPEN);
  EXPECT_EQ(scheduler, nullptr);
  EXPECT_NE(std::string(message).find("cannot map"), std::string::npos);
  EXPECT_EQ(nnet3sc_create(nullptr, "demo", nullptr, &options, &scheduler),
            NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_create("x", "demo", nullptr, &options, nullptr),
            NNET3SC_INVALID_ARGUMENT);
  options.struct_size = 4;
  EXPECT_EQ(nnet3sc_create("x", "demo", nullptr, &options, &scheduler),
            NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(create_scheduler_in_c("/nowhere/at/all.so"), NNET3SC_CANNOT_OPEN);
  EXPECT_EQ(nnet3sc_abi_version(), NNET3SC_ABI_VERSION);
}

TEST(SchedulerErrorTest, NoStream) {
  SmallStream library([](LibraryWriter &writer) { writer.stream.reset(); });
  nnet3sc_scheduler *scheduler = nullptr;
  EXPECT_EQ(createScheduler(getLinkedFunctions(), library.opened.model.get(),
                            nullptr, nullptr, &scheduler),
            NNET3SC_CANNOT_OPEN);
  EXPECT_EQ(scheduler, nullptr);
}

TEST(SchedulerErrorTest, Calls) {
  TestScheduler test;
  nnet3sc_scheduler *scheduler = test.scheduler;
  const nnet3sc_stream stream = test.open();
  const float frame = 1;
  float row;
  int32_t count = 5;
  EXPECT_EQ(nnet3sc_open(nullptr, nullptr), NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_open(scheduler, nullptr), NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_push(nullptr, stream, &frame, 1, nullptr, &count),
            NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(nnet3sc_push(scheduler, stream, nullptr, 1, nullptr, &count),
            NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_push(scheduler, stream, &frame, -1, nullptr, &count),
            NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_push(scheduler, stream, nullptr, 0, nullptr, nullptr),
            NNET3SC_OK);
  for (const nnet3sc_stream other : {stream + 1, nnet3sc_stream(0)}) {
    EXPECT_EQ(nnet3sc_push(scheduler, other, &frame, 1, nullptr, &count),
              NNET3SC_NO_SUCH_STREAM);
    EXPECT_EQ(nnet3sc_close(scheduler, other), NNET3SC_NO_SUCH_STREAM);
    EXPECT_EQ(nnet3sc_cancel(scheduler, other), NNET3SC_NO_SUCH_STREAM);
    EXPECT_EQ(nnet3sc_poll(scheduler, other, &row, 1, 0, &count),
              NNET3SC_NO_SUCH_STREAM);
  }
  EXPECT_EQ(nnet3sc_close(nullptr, stream), NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_cancel(nullptr, stream), NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_poll(scheduler, stream, nullptr, 1, 0, &count),
            NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_poll(scheduler, stream, &row, 0, 0, &count),
            NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_poll(scheduler, stream, &row, 1, -1, &count),
            NNET3SC_INVALID_ARGUMENT);
  nnet3sc_metrics metrics = {};
  EXPECT_EQ(nnet3sc_get_metrics(scheduler, &metrics), NNET3SC_INVALID_ARGUMENT);
  nnet3sc_info info = {};
  EXPECT_EQ(nnet3sc_get_info(scheduler, &info), NNET3SC_INVALID_ARGUMENT);
  EXPECT_EQ(nnet3sc_reset_metrics(nullptr), NNET3SC_INVALID_ARGUMENT);
  for (nnet3sc_status status = -1; status <= NNET3SC_NO_THREADS + 1; ++status)
    EXPECT_GT(std::strlen(nnet3sc_error_text(status)), 0u);
}

// A failed step ends its stream, but no other stream of its batch.
TEST(SchedulerErrorTest, StepFails) {
  for (const bool polls : {false, true}) {
    Gate gate;
    gate.failsFrom = 50;
    Collector collector;
    TestScheduler test(polls ? nnet3sc_options() : collector.options(),
                       Gate::functions());
    const Floats good = makeFrames(1, 6);
    Floats bad = good;
    bad[2] = 99; // the first new frame of the second chunk is number 3
    bad[3] = 99;
    const nnet3sc_stream first = test.open();
    nnet3sc_push(test.scheduler, first, good.data(), 3, nullptr, nullptr);
    gate.awaitStep();
    const nnet3sc_stream streams[] = {test.open(), test.open(), test.open()};
    for (int i = 0; i < 3; ++i)
      nnet3sc_push(test.scheduler, streams[i],
                   i == 1 ? bad.data() : good.data(), 3, nullptr, nullptr);
    gate.open();
    while (test.getMetrics().num_chunks < 4)
      std::this_thread::yield();
    for (int i = 0; i < 3; ++i) {
      nnet3sc_push(test.scheduler, streams[i], (i == 1 ? bad : good).data() + 3,
                   3, nullptr, nullptr);
      nnet3sc_close(test.scheduler, streams[i]);
    }
    if (!polls)
      collector.awaitEnds(3);
    for (const int i : {0, 2})
      EXPECT_EQ(polls ? test.pollAll(streams[i])
                      : collector.get(streams[i]).rows,
                SmallStream::compute(good));
    if (polls) {
      float rows[8];
      int32_t count = 0;
      EXPECT_EQ(nnet3sc_poll(test.scheduler, streams[1], rows, 8, 10, &count),
                NNET3SC_OK);
      EXPECT_EQ(count, 2) << "what was computed before";
      EXPECT_EQ(nnet3sc_poll(test.scheduler, streams[1], rows, 8, 10, &count),
                NNET3SC_STEP_FAILED);
    } else {
      const Collector::Given given = collector.get(streams[1]);
      EXPECT_EQ(given.status, NNET3SC_STEP_FAILED);
      EXPECT_EQ(given.stepStatus, NNET3LIB_WRONG_STATE);
      EXPECT_EQ(given.rows.size(), 2u);
    }
    EXPECT_EQ(nnet3sc_push(test.scheduler, streams[1], bad.data(), 1, nullptr,
                           nullptr),
              NNET3SC_NO_SUCH_STREAM);
    EXPECT_EQ(test.getMetrics().num_failed, 1u);
    EXPECT_EQ(test.getMetrics().num_ended, 3u);
  }
}

TEST(SchedulerErrorTest, Cancel) {
  Gate gate;
  Collector collector;
  TestScheduler test(collector.options(), Gate::functions());
  const Floats frames = makeFrames(1, 9);
  const nnet3sc_stream busy = test.open(), queued = test.open();
  nnet3sc_push(test.scheduler, busy, frames.data(), 3, nullptr, nullptr);
  gate.awaitStep();
  nnet3sc_push(test.scheduler, queued, frames.data(), 9, nullptr, nullptr);
  for (const nnet3sc_stream stream : {busy, queued}) {
    EXPECT_EQ(nnet3sc_cancel(test.scheduler, stream), NNET3SC_OK);
    EXPECT_EQ(nnet3sc_cancel(test.scheduler, stream), NNET3SC_NO_SUCH_STREAM);
  }
  gate.open();
  while (test.getMetrics().num_streams > 0)
    std::this_thread::yield();
  EXPECT_TRUE(collector.get(queued).rows.empty());
  EXPECT_EQ(test.getMetrics().num_ended, 2u);
}

// A stream that ended before it was cancelled has ended once.
TEST(SchedulerErrorTest, CancelAfterEnd) {
  for (const bool fails : {false, true}) {
    Gate gate;
    gate.failsFrom = fails ? 0 : 1e9f;
    gate.open();
    TestScheduler test({}, Gate::functions());
    const Floats frames = fails ? Floats(6, 99) : makeFrames(1, 6);
    const nnet3sc_stream stream = test.open();
    nnet3sc_push(test.scheduler, stream, frames.data(), 6, nullptr, nullptr);
    nnet3sc_close(test.scheduler, stream);
    while (test.getMetrics().num_ended < 1)
      std::this_thread::yield();
    EXPECT_EQ(nnet3sc_cancel(test.scheduler, stream), NNET3SC_OK);
    EXPECT_EQ(nnet3sc_cancel(test.scheduler, stream), NNET3SC_NO_SUCH_STREAM);
    EXPECT_EQ(test.getMetrics().num_ended, 1u);
    EXPECT_EQ(test.getMetrics().num_failed, fails ? 1u : 0u);
    EXPECT_EQ(test.getMetrics().num_streams, 0u);
  }
}

// Waiting pushes and polls return.
TEST(SchedulerErrorTest, DestroyWithStreamsOpen) {
  Gate gate;
  nnet3sc_options options = {};
  options.push_waits = 1;
  TestScheduler test(options, Gate::functions());
  const Floats frames = makeFrames(1, 1000);
  const nnet3sc_stream stream = test.open(), idle = test.open();
  std::thread pusher([&] {
    EXPECT_EQ(nnet3sc_push(test.scheduler, stream, frames.data(), 1000, nullptr,
                           nullptr),
              NNET3SC_CLOSED);
  });
  std::thread poller([&] {
    float row;
    int32_t count;
    EXPECT_EQ(nnet3sc_poll(test.scheduler, idle, &row, 1, 1000, &count),
              NNET3SC_CLOSED);
  });
  gate.awaitStep();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    gate.open();
  });
  test.destroy();
  pusher.join();
  poller.join();
  opener.join();
}

} // namespace
