//===- SchedulerSoakTest.cpp - Many streams that come and go --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NNET3_SOAK_STREAMS=100000 for the nightly form.
//
//===----------------------------------------------------------------------===//

#include "SchedulerTesting.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

using Floats = std::vector<float>;

/// A stream on its way.
struct Live {
  nnet3sc_stream number;
  Floats frames, outputs;
  size_t pushed = 0;
  bool isClosed = false;
};

/// Has random streams come and go, and compares each with its whole utterance.
class Player {
public:
  Player(nnet3sc_scheduler *scheduler, uint32_t seed, int numStreams)
      : scheduler(scheduler), random(seed), seed(seed), numLeft(numStreams) {}

  void play() {
    while (numLeft > 0 || !live.empty()) {
      if (numLeft > 0 && live.size() < 64 && below(2) == 0)
        open();
      for (size_t i = live.size(); i-- > 0;)
        if (below(3) > 0 && !advance(live[i])) {
          std::swap(live[i], live.back());
          live.pop_back();
        }
    }
  }

  int numWrong = 0;

private:
  int below(int end) {
    return std::uniform_int_distribution<int>(0, end - 1)(random);
  }

  void open() {
    Live stream;
    stream.frames =
        makeFrames(seed + uint32_t(numLeft) * 64, size_t(below(60)));
    numWrong += nnet3sc_open(scheduler, &stream.number) != NNET3SC_OK;
    --numLeft;
    live.push_back(std::move(stream));
  }

  /// False when the stream has ended.
  bool advance(Live &stream) {
    const size_t left = stream.frames.size() - stream.pushed;
    if (left > 0) {
      int32_t count = 0;
      nnet3sc_push(scheduler, stream.number,
                   stream.frames.data() + stream.pushed, 1 + below(int(left)),
                   nullptr, &count);
      stream.pushed += size_t(count);
    } else if (!stream.isClosed) {
      numWrong += nnet3sc_close(scheduler, stream.number) != NNET3SC_OK;
      stream.isClosed = true;
    }
    if (below(100) == 0) {
      numWrong += nnet3sc_cancel(scheduler, stream.number) != NNET3SC_OK;
      return false;
    }
    float rows[16];
    int32_t count = 0;
    const nnet3sc_status status = nnet3sc_poll(
        scheduler, stream.number, rows, 16, stream.isClosed ? 1e-4 : 0, &count);
    stream.outputs.insert(stream.outputs.end(), rows, rows + count);
    if (status == NNET3SC_OK || status == NNET3SC_WOULD_BLOCK)
      return true;
    numWrong += status != NNET3SC_ENDED ||
                stream.outputs != (stream.frames.empty()
                                       ? Floats()
                                       : SmallStream::compute(stream.frames));
    return false;
  }

  nnet3sc_scheduler *scheduler;
  std::minstd_rand random;
  uint32_t seed;
  int numLeft;
  std::vector<Live> live;
};

TEST(SchedulerSoakTest, StreamsComeAndGo) {
  const char *text = std::getenv("NNET3_SOAK_STREAMS");
  const int numStreams = text ? std::atoi(text) : 4000;
  constexpr int kThreads = 4;
  nnet3sc_options options = {};
  options.num_workers = 3;
  options.max_batch = 7;
  options.max_wait = 1e-4;
  TestScheduler test(options);
  std::vector<Player> players;
  for (int i = 0; i < kThreads; ++i)
    players.emplace_back(test.scheduler, uint32_t(i),
                         (numStreams + kThreads - 1) / kThreads);
  std::vector<std::thread> threads;
  for (Player &player : players)
    threads.emplace_back([&player] { player.play(); });
  for (std::thread &thread : threads)
    thread.join();
  for (const Player &player : players)
    EXPECT_EQ(player.numWrong, 0);
  const nnet3sc_metrics metrics = test.getMetrics();
  EXPECT_GE(metrics.num_opened, uint64_t(numStreams));
  EXPECT_EQ(metrics.num_failed, 0u);
  EXPECT_GT(metrics.num_chunks, metrics.num_steps) << "no batches";
}

} // namespace
