//===- NativeBenchmark.cpp - Libraries against the machine's limits -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/GemmProbe.h"
#include "support/KernelOperations.h"
#include "support/Limit.h"
#include "support/NativeNetwork.h"
#include "support/PeakProbe.h"
#include "support/Timing.h"

#include "nnet3/Execution/NnetRunner.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Runs the library, the interpreter and the probes in turn. Reports the
/// library's time. `of_peak` is its rate relative to the peak rate of
/// multiply-adds, `times_limit` its time relative to the lower bound,
/// `vs_interpreter` and `vs_gemm` its speed-up over the interpreter and the
/// GEMM probe, `best_vs_interpreter` the speed-up of the lower bound over the
/// interpreter.
static void runNative(benchmark::State &state, StringRef name,
                      int32_t sequences) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, getChunkFrames(name));
  NativeNetwork native(network, request);
  auto runner = mlir::nnet3::NnetRunner::create(network.getOp());
  auto instance =
      (*runner)->instantiate(*(*runner)->load(request), request.getLoc());
  ComputationOp computation = network.compile(request);
  GemmProbe probe(computation);
  const Limit limit(name, sequences, computation,
                    countFusedMultiplyAdds(*fuse(network.getOp(), request)));
  std::vector<std::vector<float>> inputs;
  for (const ::nnet3::rt::IoInfo &io : (*instance)->program().inputs())
    inputs.emplace_back(size_t(io.rows) * io.cols, 0.1f);
  double total = 0, probeTotal = 0, interpreted = 0, peak = 0, bandwidth = 0;
  auto interpret = [&] {
    for (auto [io, data] :
         llvm::zip_equal((*instance)->program().inputs(), inputs))
      (void)(*instance)->setInput(io.name,
                                  {data.data(), io.rows, io.cols, io.cols});
    return processorSeconds([&] { (void)(*instance)->run(); });
  };
  // The first runs touch their memory for the first time.
  native.run();
  interpret();
  probe.run();
  for (auto _ : state) {
    // Another process may have slowed down a probe.
    peak = std::max(peak, measurePeak());
    bandwidth = std::max(bandwidth,
                         measureReadBandwidth(int64_t(limit.recurrentBytes)));
    double time = processorSeconds([&] { native.run(); });
    interpreted += interpret();
    probeTotal += processorSeconds([&] { probe.run(); });
    total += time;
    state.SetIterationTime(time);
  }
  const double rounds = double(state.iterations());
  const double best = rounds * limit.getSeconds(peak, bandwidth);
  state.counters["gflops"] = limit.flops * rounds / total * 1e-9;
  state.counters["of_peak"] = limit.flops * rounds / total / peak;
  state.counters["times_limit"] = total / best;
  state.counters["best_vs_interpreter"] = interpreted / best;
  state.counters["vs_interpreter"] = interpreted / total;
  state.counters["vs_gemm"] = probeTotal / total;
  state.counters["compile_s"] = native.getCompileSeconds();
}

static bool registerAll() {
  for (StringRef name : getNetworkNames())
    for (int32_t sequences : {1, 64}) {
      if (name == "seed")
        continue;
      std::string title = ("native/" + name + "/n:" + Twine(sequences) +
                           "/t:" + Twine(getChunkFrames(name)))
                              .str();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [=](auto &state) { runNative(state, name, sequences); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

static bool registered = registerAll();
