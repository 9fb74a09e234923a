//===- NativeBenchmark.cpp - Libraries against the machine's limits -------===//

#include "GemmProbe.h"
#include "NativeNetwork.h"
#include "PeakProbe.h"
#include "Timing.h"

#include "nnet3/Pipelines/NnetRunner.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace ::nnet3::benchmarks;

/// Floating-point operations that a chunk of 150 frames needs, for one
/// sequence: products and sums of the affine maps, of the rows that the output
/// depends on.
static double getNecessaryFlops(StringRef name) {
  return llvm::StringSwitch<double>(name)
      .Case("tdnn", 2.80e9)
      .Case("tdnnf", 3.10e9)
      .Case("lstmp", 1.44e9)
      .Case("blstm", 0.31e9)
      .Default(0);
}

/// Runs the library, the interpreter and the probes in turn. The time reported
/// is the library's; `of_peak` is its share of the peak of multiply-adds,
/// `vs_interpreter` and `vs_gemm` how many times faster it is than those.
static void runNative(benchmark::State &state, StringRef name,
                      int32_t sequences) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, 150);
  NativeNetwork native(network, request);
  auto runner = ::nnet3::NnetRunner::create(network.getOp());
  auto instance =
      (*runner)->instantiate(*(*runner)->load(request), request.getLoc());
  GemmProbe probe(network.compile(request));
  std::vector<std::vector<float>> inputs;
  for (const ::nnet3::runtime::IoInfo &io : (*instance)->program().inputs())
    inputs.emplace_back(size_t(io.rows) * io.cols, 0.1f);
  double total = 0, probeTotal = 0, interpreted = 0, peak = 0;
  for (auto _ : state) {
    peak += measurePeak();
    double time = seconds([&] { native.run(); });
    for (auto [io, data] :
         llvm::zip_equal((*instance)->program().inputs(), inputs))
      (void)(*instance)->setInput(io.name,
                                  {data.data(), io.rows, io.cols, io.cols});
    interpreted += seconds([&] { (void)(*instance)->run(); });
    probeTotal += seconds([&] { probe.run(); });
    total += time;
    state.SetIterationTime(time);
  }
  const double flops =
      getNecessaryFlops(name) * sequences * double(state.iterations());
  state.counters["gflops"] = flops / total * 1e-9;
  state.counters["of_peak"] =
      flops / total / (peak / double(state.iterations()));
  state.counters["vs_interpreter"] = interpreted / total;
  state.counters["vs_gemm"] = probeTotal / total;
  state.counters["compile_s"] = native.getCompileSeconds();
}

static bool registerAll() {
  for (StringRef name : getNetworkNames())
    for (int32_t sequences : {1, 64}) {
      if (name == "seed")
        continue;
      std::string title =
          ("native/" + name + "/n:" + Twine(sequences) + "/t:150").str();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [=](auto &state) { runNative(state, name, sequences); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

static bool registered = registerAll();
