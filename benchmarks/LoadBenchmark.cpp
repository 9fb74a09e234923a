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
/// The library of a stream, while it is needed.
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

/// Plays with so many streams, again where they are not served in time: the
/// machine itself pauses, or is slower for a while.
static LoadResult playUntilInTime(const StreamLoad &load) {
  LoadResult result;
  for (int attempt = 0; attempt < 3; ++attempt) {
    result = playLoad(load);
    if (result.metrics.delay_p99 < load.latest)
      break;
  }
  return result;
}

/// The most streams that one worker serves in time: 99% of the chunks have
/// their outputs within a chunk's duration from its last frame, so that nothing
/// waits for more than two. `of_limit` is their share of the streams whose
/// operations in the middle of an utterance the core executes at its peak;
/// `batch` the average number of streams of a step; `p50_ms` and `p99_ms` the
/// time from a chunk's last frame until its outputs; `busy` the share of the
/// time that the worker computes.
static void runLoad(benchmark::State &state, StringRef name,
                    ArrayRef<int64_t> chunks) {
  const StreamLibrary library(name, chunks);
  const double framesPerSecond = 100;
  const double flops = 2 * countSteadyProducts(name) * framesPerSecond;
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
