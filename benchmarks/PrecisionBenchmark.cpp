//===- PrecisionBenchmark.cpp - Libraries of less than f32 ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/NativeNetwork.h"
#include "support/Timing.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Runs libraries of one request in turn. The time reported is that of f32;
/// `bf16` and `int8` are how many times faster those are.
static void runPrecisions(benchmark::State &state, StringRef name,
                          int32_t sequences) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, 150);
  NativeNetwork exact(network, request);
  NativeNetwork bf16(network, request, Precision::BF16);
  NativeNetwork int8(network, request, Precision::Int8);
  double exactTotal = 0, bf16Total = 0, int8Total = 0;
  for (auto _ : state) {
    double time = processorSeconds([&] { exact.run(); });
    bf16Total += processorSeconds([&] { bf16.run(); });
    int8Total += processorSeconds([&] { int8.run(); });
    exactTotal += time;
    state.SetIterationTime(time);
  }
  state.counters["bf16"] = exactTotal / bf16Total;
  state.counters["int8"] = exactTotal / int8Total;
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
