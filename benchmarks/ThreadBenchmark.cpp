//===- ThreadBenchmark.cpp - Libraries with worker threads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/NativeNetwork.h"
#include "support/Timing.h"

#include "mlir/Support/LLVM.h"
#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Runs the library with one thread, then with \p numThreads. Reports the
/// latter's time; `vs_one` is the speed-up.
static void runThreads(benchmark::State &state, StringRef name,
                       int32_t sequences, int32_t numThreads) {
  Network network(name);
  NativeNetwork native(network, network.makeRequest(sequences, 150));
  native.run();
  double one = 1e30;
  for (int i = 0; i < 5; ++i)
    one = std::min(one, seconds([&] { native.run(); }));
  native.setThreads(numThreads);
  native.run();
  double many = 1e30;
  for (auto _ : state) {
    const double time = seconds([&] { native.run(); });
    many = std::min(many, time);
    state.SetIterationTime(time);
  }
  state.counters["vs_one"] = one / many;
}

static bool registerAll() {
  for (StringRef name : {"tdnn", "tdnnf", "lstmp"})
    for (int32_t sequences : {1, 64}) {
      std::string title =
          ("threads/" + name + "/n:" + Twine(sequences) + "/threads:2").str();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [=](auto &state) { runThreads(state, name, sequences, 2); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

static bool registered = registerAll();
