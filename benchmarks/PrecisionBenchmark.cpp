//===- PrecisionBenchmark.cpp - Libraries of reduced precision ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/NativeNetwork.h"
#include "support/Timing.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Runs libraries of one request in several precisions in turn. Reports the
/// time of f32; the counters are the speed-ups of the others over f32.
static void runPrecisions(benchmark::State &state, StringRef name,
                          int32_t sequences) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, 150);
  NativeNetwork exact(network, request);
  const Precision precisions[] = {Precision::BF16, Precision::Int16,
                                  Precision::Int8};
  std::vector<std::unique_ptr<NativeNetwork>> others;
  for (Precision precision : precisions)
    others.push_back(
        std::make_unique<NativeNetwork>(network, request, precision));
  double exactTotal = 0;
  std::vector<double> totals(others.size());
  for (auto _ : state) {
    double time = processorSeconds([&] { exact.run(); });
    for (size_t i = 0; i < others.size(); ++i)
      totals[i] += processorSeconds([&] { others[i]->run(); });
    exactTotal += time;
    state.SetIterationTime(time);
  }
  for (auto [precision, total] : llvm::zip_equal(precisions, totals))
    state.counters[getPrecisionName(precision).str()] = exactTotal / total;
}

static bool registerAll() {
  for (StringRef name : getNetworkNames())
    for (int32_t sequences : {1, 64}) {
      if (name == "seed")
        continue;
      std::string title =
          ("precision/" + name + "/n:" + Twine(sequences) + "/t:150").str();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [=](auto &state) { runPrecisions(state, name, sequences); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

static bool registered = registerAll();
