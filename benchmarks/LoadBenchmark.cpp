//===- LoadBenchmark.cpp - How many live streams a core serves ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/NativeNetwork.h"
#include "support/PeakProbe.h"
#include "support/StreamLoad.h"
#include "support/Streams.h"

#include "llvm/Support/FileSystem.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

namespace {
/// Compiles the library of a stream; the file lives as long as the struct.
struct StreamLibrary {
  StreamLibrary(StringRef name, ArrayRef<int64_t> chunks) {
    SmallString<128> file;
    if (llvm::sys::fs::createTemporaryFile("nnet3-benchmark", "so", file))
      std::exit(1);
    path = file.str().str();
    Network network(name);
    makeStream(network.getOp(), chunks, {1, 2, 4, 8, 16});
    writeLibrary(network.getOp()->getParentOfType<ModuleOp>(), path);
  }
  ~StreamLibrary() { llvm::sys::fs::remove(path); }

  std::string path;
};
} // namespace

/// Plays the load up to a fixed number of times, until the streams are served
/// in time: the machine may pause or be slower for a while.
static LoadResult playUntilInTime(const StreamLoad &load) {
  LoadResult result;
  for (int attempt = 0; attempt < 3; ++attempt) {
    result = playLoad(load);
    if (result.metrics.delay_p99 < load.latest)
      break;
  }
  return result;
}

/// Finds the largest number of streams that one worker serves in time: 99% of
/// the chunks have their outputs within one chunk duration after their last
/// frame, so no frame waits longer than two chunk durations. `of_limit` is the
/// ratio to the number of streams whose steady-state multiply-adds one core
/// executes at its peak rate; `batch` is the average number of streams per
/// step; `p50_ms` and `p99_ms` are the latency from the last frame of a chunk
/// to its outputs; `busy` is the fraction of the time in which the worker
/// computes.
static void runLoad(benchmark::State &state, StringRef name,
                    ArrayRef<int64_t> chunks) {
  const StreamLibrary library(name, chunks);
  const double framesPerSecond = 100;
  const double flops = 2 * countSteadyMultiplyAdds(name) * framesPerSecond;
  StreamLoad load;
  load.library = library.path;
  load.latest = double(chunks.front()) / framesPerSecond;
  for (auto _ : state) {
    double peak = 0;
    for (int i = 0; i < 100; ++i)
      peak = std::max(peak, measurePeak());
    const double limit = peak / flops;
    LoadResult best = {};
    double least = 0, most = 1.1;
    for (int step = 0; step < 6; ++step) {
      const double share = (least + most) / 2;
      load.admitted = share * limit;
      const LoadResult result = playUntilInTime(load);
      const bool isInTime = result.metrics.delay_p99 < load.latest;
      (isInTime ? least : most) = share;
      if (isInTime)
        best = result;
    }
    state.SetIterationTime(load.seconds);
    const nnet3sc_metrics &metrics = best.metrics;
    state.counters["streams"] = best.streams;
    state.counters["limit"] = limit;
    state.counters["of_limit"] = best.streams / limit;
    state.counters["batch"] =
        double(metrics.num_chunks) / double(std::max(metrics.num_steps, 1ul));
    state.counters["p50_ms"] = 1e3 * metrics.delay_p50;
    state.counters["p99_ms"] = 1e3 * metrics.delay_p99;
    state.counters["busy"] = metrics.utilisation;
    state.counters["peak_gflops"] = peak * 1e-9;
  }
}

static bool registerAll() {
  for (const std::vector<int64_t> &chunks :
       std::vector<std::vector<int64_t>>{{21}, {51}, {150}, {21, 51, 150}}) {
    std::string title = "load/tdnnf/t:" + std::to_string(chunks.front());
    if (chunks.size() > 1)
      title += "-" + std::to_string(chunks.back());
    benchmark::RegisterBenchmark(
        title.c_str(), [=](auto &state) { runLoad(state, "tdnnf", chunks); })
        ->UseManualTime()
        ->Iterations(1);
  }
  return true;
}

static bool registered = registerAll();
