//===- StreamBenchmark.cpp - Steps of streams -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/KernelOperations.h"
#include "support/Limit.h"
#include "support/NativeNetwork.h"
#include "support/PeakProbe.h"
#include "support/Streams.h"
#include "support/Timing.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

static constexpr int64_t kFrames = 21;
/// Steps per measurement.
static constexpr int kSteps = 4;

/// Returns the milliseconds to plan a stream of one sequence and to compile and
/// optimise its first and its later chunks; the least of several measurements,
/// as for requests.
static double measureCompilation(StringRef name) {
  double best = 1e9;
  Network network(name);
  auto module = network.getOp()->getParentOfType<ModuleOp>();
  for (int i = 0; i < 5; ++i) {
    OwningOpRef<ModuleOp> copy = module.clone();
    auto op = *copy->getOps<NetworkOp>().begin();
    prepareNetwork(op);
    best = std::min(best, processorSeconds([&] {
                      StreamOp stream =
                          planStream(op, {kFrames}, {1}, /*ivectorPeriod=*/0,
                                     getFrameSubsamplingFactor(name));
                      for (const bool isFirst : {true, false})
                        compile(op, getRequest(stream, kFrames, isFirst));
                    }));
  }
  return 1e3 * best;
}

/// Runs some steps and, in turn, a chunk of the same frames with its context.
/// `work` is the number of matmul multiply-adds of a step relative to those of
/// the same frames in an endless utterance; `of_peak` is the share of the peak
/// rate that they reach; `times_limit` is the time relative to the lower bound;
/// `vs_context` is the speed-up of a step over a chunk with context;
/// `compile_ms` is the compile time for one sequence. Times are medians of the
/// rounds.
static void runStream(benchmark::State &state, StringRef name,
                      int32_t sequences) {
  Network network(name), whole(name);
  StreamOp stream =
      makeStream(network.getOp(), {kFrames}, {sequences}, /*ivectorPeriod=*/0,
                 getFrameSubsamplingFactor(name));
  RequestOp request = getRequest(stream, kFrames, /*isFirst=*/false);
  NativeNetwork step(network, request);
  NativeNetwork chunk(whole, whole.makeRequest(sequences, kFrames));
  const Limit limit(name, sequences, compile(network.getOp(), request),
                    countFusedMultiplyAdds(*fuse(network.getOp(), request)));
  step.run();
  chunk.run();
  double peak = 0, bandwidth = 0;
  std::vector<double> steps, chunks;
  for (auto _ : state) {
    peak = std::max(peak, measurePeak());
    bandwidth =
        std::max(bandwidth, measureReadBandwidth(step.getWeightsBytes()));
    chunks.push_back(processorSeconds([&] { chunk.run(); }));
    // A step usually follows a step; after a chunk, the caches hold the data of
    // the chunk. So one step runs before the measurement.
    step.run();
    const double time = processorSeconds([&] {
                          for (int i = 0; i < kSteps; ++i)
                            step.run();
                        }) /
                        kSteps;
    steps.push_back(time);
    state.SetIterationTime(time);
  }
  const double time = getMedian(steps);
  const double best =
      std::max(limit.flops / peak, double(step.getWeightsBytes()) / bandwidth);
  state.counters["of_peak"] = limit.flops / time / peak;
  state.counters["times_limit"] = time / best;
  state.counters["vs_context"] = getMedian(chunks) / time;
  state.counters["work"] =
      countFusedMultiplyAdds(*compileMatmuls(network.getOp(), request)) /
      (sequences * kFrames * countSteadyMultiplyAdds(name));
  state.counters["us_per_stream"] = time / sequences * 1e6;
  state.counters["compile_ms"] = measureCompilation(name);
}

/// Plans the stream. If `left` is not 0, statistics look `left` frames back
/// instead of ahead.
static void runPlan(benchmark::State &state, StringRef name, int32_t left) {
  Network network(name);
  if (left > 0)
    network.getOp().walk([&](StatisticsPoolingOp pooling) {
      pooling.setLeftContext(left);
      pooling.setRightContext(0);
    });
  auto module = network.getOp()->getParentOfType<ModuleOp>();
  prepareNetwork(network.getOp());
  for (auto _ : state) {
    OwningOpRef<ModuleOp> copy = module.clone();
    state.SetIterationTime(processorSeconds([&] {
      planStream(*copy->getOps<NetworkOp>().begin(), {kFrames}, {1});
    }));
  }
}

static bool registerAll() {
  const auto addPlan = [](StringRef name, int32_t left, const Twine &suffix) {
    benchmark::RegisterBenchmark(
        ("plan/" + name + suffix).str().c_str(),
        [=](auto &state) { runPlan(state, name, left); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  for (StringRef name : {"tdnn", "tdnnf", "lstmp", "cnn", "attn", "xvector"})
    addPlan(name, 0, "");
  for (int32_t left : {9999, 10000})
    addPlan("xvector", left, "/left:" + Twine(left));
  for (StringRef name :
       {"seed", "tdnn", "tdnnf", "lstmp", "cnn", "attn", "xvector"})
    for (int32_t sequences : {1, 16}) {
      std::string title =
          ("stream/" + name + "/n:" + Twine(sequences) + "/t:21").str();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [=](auto &state) { runStream(state, name, sequences); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

static bool registered = registerAll();
