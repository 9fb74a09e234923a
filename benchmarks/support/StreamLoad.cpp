//===- StreamLoad.cpp - Live streams for a scheduler ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamLoad.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sched.h>
#include <thread>
#include <vector>

using namespace mlir::nnet3::benchmarks;

namespace {
constexpr double kFrameSeconds = 0.01, kTickSeconds = 0.002;
constexpr double kLeastSeconds = 5, kMostSeconds = 15;
/// Streams that arrive per stream that the server can admit.
constexpr double kDemand = 2;

struct LiveStream {
  nnet3sc_stream number;
  double begin, end;
  int64_t numPushed = 0;
};

/// The clients of a server.
class Crowd {
public:
  explicit Crowd(const StreamLoad &load);
  ~Crowd() { nnet3sc_destroy(scheduler); }
  Crowd(const Crowd &) = delete;

  LoadResult play();

private:
  double draw(double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  }
  double drawArrival() {
    const double mean = (kLeastSeconds + kMostSeconds) / 2;
    return std::exponential_distribution<double>(kDemand * load.admitted /
                                                 mean)(random);
  }
  void admit(double begin, double end);
  void advance(double now);
  bool pushFrames(LiveStream &stream, double now);
  nnet3sc_metrics getMetrics() const;

  const StreamLoad &load;
  nnet3sc_scheduler *scheduler = nullptr;
  std::mt19937 random{1};
  std::vector<LiveStream> streams;
  std::vector<float> frames, ivector;
  int32_t dim = 0;
  double nextArrival = 0;
};
} // namespace

static void check(nnet3sc_status status, const char *what) {
  if (status == NNET3SC_OK)
    return;
  std::fprintf(stderr, "%s: %s\n", what, nnet3sc_error_text(status));
  std::exit(1);
}

/// Moves this thread to the last CPU; workers use the first ones.
static void moveAway() {
  cpu_set_t all, last;
  CPU_ZERO(&last);
  if (sched_getaffinity(0, sizeof(all), &all) != 0 || CPU_COUNT(&all) < 2)
    return;
  for (int cpu = CPU_SETSIZE; cpu-- > 0;)
    if (CPU_ISSET(cpu, &all)) {
      CPU_SET(cpu, &last);
      break;
    }
  sched_setaffinity(0, sizeof(last), &last);
}

Crowd::Crowd(const StreamLoad &load) : load(load) {
  nnet3sc_options options = {};
  options.struct_size = sizeof(options);
  options.pin_workers = 1;
  // A chunk that is served in time never waits behind a second of frames.
  options.max_frames = 1000;
  options.on_result = [](void *, nnet3sc_stream, const nnet3sc_result *result) {
    check(result->status, "step");
  };
  char message[256] = "";
  options.message = message;
  options.message_size = sizeof(message);
  const nnet3sc_status status = nnet3sc_create(load.library.c_str(), "net",
                                               nullptr, &options, &scheduler);
  check(status, message);
  nnet3sc_info info = {};
  info.struct_size = sizeof(info);
  check(nnet3sc_get_info(scheduler, &info), "info");
  dim = info.input_dim;
  ivector.assign(info.ivector_dim, 0.1f);
  frames.resize(size_t(dim) * 1000);
  for (float &value : frames)
    value = float(draw(-1, 1));
}

nnet3sc_metrics Crowd::getMetrics() const {
  nnet3sc_metrics metrics = {};
  metrics.struct_size = sizeof(metrics);
  check(nnet3sc_get_metrics(scheduler, &metrics), "metrics");
  return metrics;
}

void Crowd::admit(double begin, double end) {
  LiveStream stream = {0, begin, end};
  check(nnet3sc_open(scheduler, &stream.number), "open");
  streams.push_back(stream);
}

/// Pushes the frames that have arrived. Returns false when the stream has
/// ended.
bool Crowd::pushFrames(LiveStream &stream, double now) {
  const int64_t due =
      int64_t((std::min(now, stream.end) - stream.begin) / kFrameSeconds);
  const int64_t count = std::min<int64_t>(due - stream.numPushed, 100);
  if (count > 0) {
    int32_t taken = 0;
    const int64_t first = stream.numPushed % 900;
    const nnet3sc_status status = nnet3sc_push(
        scheduler, stream.number, frames.data() + first * dim, int32_t(count),
        ivector.empty() || stream.numPushed > 0 ? nullptr : ivector.data(),
        &taken);
    if (status != NNET3SC_WOULD_BLOCK)
      check(status, "push");
    stream.numPushed += taken;
  }
  if (now < stream.end)
    return true;
  check(nnet3sc_close(scheduler, stream.number), "close");
  return false;
}

void Crowd::advance(double now) {
  for (size_t i = streams.size(); i-- > 0;)
    if (!pushFrames(streams[i], now)) {
      streams[i] = streams.back();
      streams.pop_back();
    }
  for (; nextArrival <= now; nextArrival += drawArrival())
    if (double(streams.size()) < load.admitted)
      admit(nextArrival, nextArrival + draw(kLeastSeconds, kMostSeconds));
}

LoadResult Crowd::play() {
  using Clock = std::chrono::steady_clock;
  moveAway();
  // First chunks are more expensive, so the initial streams start at spread-out
  // times, as later ones do.
  constexpr double kWarmUp = (kLeastSeconds + kMostSeconds) / 2;
  for (int i = 0; i < int(load.admitted); ++i) {
    const double begin = draw(0, kWarmUp);
    admit(begin, begin + draw(kLeastSeconds, kMostSeconds));
  }
  const auto start = Clock::now();
  bool isWarm = false;
  double now = 0, streamSeconds = 0;
  while (now < kWarmUp + load.seconds) {
    const double last = now;
    now = std::chrono::duration<double>(Clock::now() - start).count();
    advance(now);
    if (!isWarm && now >= kWarmUp) {
      isWarm = true;
      check(nnet3sc_reset_metrics(scheduler), "metrics");
    } else if (isWarm) {
      streamSeconds += (now - last) * double(streams.size());
      if (now > kWarmUp + 2 && getMetrics().delay_p50 > load.latest)
        break;
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(kTickSeconds));
  }
  LoadResult result;
  result.metrics = getMetrics();
  result.streams = streamSeconds / (now - kWarmUp);
  return result;
}

LoadResult mlir::nnet3::benchmarks::playLoad(const StreamLoad &load) {
  cpu_set_t before;
  const bool isKnown = sched_getaffinity(0, sizeof(before), &before) == 0;
  LoadResult result = Crowd(load).play();
  if (isKnown)
    sched_setaffinity(0, sizeof(before), &before);
  return result;
}
