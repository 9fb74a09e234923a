//===- SchedulerAllocationTest.cpp - Allocations of schedulers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SchedulerTesting.h"
#include "test/support/CountAllocations.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// Takes nothing.
void ignore(void *context, nnet3sc_stream, const nnet3sc_result *result) {
  *static_cast<std::atomic<int32_t> *>(context) += result->num_rows;
}

/// Allocations while 20 streams push 40 frames each, and 800 outputs come.
int countPushes(TestScheduler &test,
                const std::function<int32_t()> &countRows) {
  std::vector<nnet3sc_stream> streams;
  for (int i = 0; i < 20; ++i)
    streams.push_back(test.open());
  const float frames[2] = {1, 2};
  return countAllocations([&] {
    for (int t = 0; t < 20; ++t)
      for (const nnet3sc_stream stream : streams)
        nnet3sc_push(test.scheduler, stream, frames, 2, nullptr, nullptr);
    for (const nnet3sc_stream stream : streams)
      nnet3sc_close(test.scheduler, stream);
    while (countRows() < 800)
      std::this_thread::yield();
  });
}

TEST(SchedulerAllocationTest, Callbacks) {
  std::atomic<int32_t> numRows{0};
  nnet3sc_options options = {};
  options.push_waits = 1;
  options.num_workers = 2;
  options.on_result = ignore;
  options.context = &numRows;
  TestScheduler test(options);
  EXPECT_EQ(countPushes(test, [&] { return numRows.load(); }), 0);
}

TEST(SchedulerAllocationTest, Polls) {
  nnet3sc_options options = {};
  options.max_frames = 1000;
  TestScheduler test(options);
  int32_t numRows = 0;
  const auto poll = [&] {
    for (nnet3sc_stream stream = 1; stream <= 20; ++stream) {
      float rows[4];
      int32_t count = 0;
      nnet3sc_poll(test.scheduler, stream, rows, 4, 0, &count);
      numRows += count;
    }
    return numRows;
  };
  EXPECT_EQ(countPushes(test, poll), 0);
}

} // namespace
