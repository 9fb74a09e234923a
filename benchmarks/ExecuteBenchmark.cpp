//===- ExecuteBenchmark.cpp - Executor time against the GEMM probe --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/GemmProbe.h"
#include "support/Networks.h"
#include "support/Timing.h"

#include "nnet3/Execution/NnetRunner.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Runs the executor and the probe in turn. Reports the executor's time; the
/// counter `vs_gemm` is its ratio to the probe's time.
static void execute(benchmark::State &state, StringRef name, int32_t sequences,
                    int32_t frames) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, frames);
  auto runner = mlir::nnet3::NnetRunner::create(network.getOp());
  if (failed(runner)) {
    state.SkipWithError("the network does not load");
    return;
  }
  auto program = (*runner)->load(request);
  if (failed(program)) {
    state.SkipWithError("does not compile");
    return;
  }
  auto instance = (*runner)->instantiate(*program, request.getLoc());
  GemmProbe probe(network.compile(request));

  std::vector<std::vector<float>> inputs;
  for (const ::nnet3::rt::IoInfo &io : (*instance)->program().inputs())
    inputs.emplace_back(size_t(io.rows) * io.cols, 0.1f);
  double total = 0, probeTotal = 0;
  for (auto _ : state) {
    for (auto [io, data] :
         llvm::zip_equal((*instance)->program().inputs(), inputs))
      (void)(*instance)->setInput(io.name,
                                  {data.data(), io.rows, io.cols, io.cols});
    double time = seconds([&] { (void)(*instance)->run(); });
    probeTotal += seconds([&] { probe.run(); });
    total += time;
    state.SetIterationTime(time);
  }
  state.counters["vs_gemm"] = total / probeTotal;
  state.counters["gflops"] =
      probe.getFlops() * state.iterations() / total * 1e-9;
}

static bool registerAll() {
  for (StringRef name : getNetworkNames())
    for (int32_t sequences : {1, 64}) {
      std::string title =
          ("execute/" + name + "/n:" + Twine(sequences) + "/t:150").str();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [=](auto &state) { execute(state, name, sequences, 150); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

static bool registered = registerAll();
