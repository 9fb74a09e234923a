//===- OperationsBenchmark.cpp - Operations needed and executed -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/KernelOperations.h"
#include "support/Streams.h"

#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Conversion/Nnet3ToKernels/Pipeline.h"
#include "nnet3/Target/Cpu/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Counts millions of multiply-adds of matmuls: `network` in the imported
/// network, for the rows that the output depends on; `needed` after fusion;
/// `executed` in the vector code, padding lanes included.
static void countOperations(benchmark::State &state, StringRef name,
                            int32_t sequences) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, getChunkFrames(name));
  for (auto _ : state) {
    auto fused = fuse(network.getOp(), request);
    const double asRead =
        countFusedMultiplyAdds(*compileMatmuls(network.getOp(), request));
    const double needed = countFusedMultiplyAdds(*fused);
    PassManager passes(fused->getContext());
    passes.addPass(kernel::createKernelSetTarget({"", {"avx512f"}}));
    Nnet3ConvertToKernelsOptions options;
    options.parallelFlops = std::numeric_limits<int64_t>::max();
    addKernelPasses(passes, options);
    passes.addPass(kernel::createKernelToVector());
    if (failed(passes.run(*fused)))
      state.SkipWithError("no kernels");
    const double executed = countExecutedMultiplyAdds(*fused);
    state.counters["network"] = asRead * 1e-6;
    state.counters["needed"] = needed * 1e-6;
    state.counters["executed"] = executed * 1e-6;
    state.counters["needed_share"] = needed / asRead;
    state.counters["executed_share"] = executed / needed;
  }
}

/// Counts the multiply-adds of matmuls per frame, in millions: `step` of a
/// later chunk of a stream, `endless` in the middle of an endless utterance;
/// `work` is their ratio.
static void countStream(benchmark::State &state, StringRef name,
                        int64_t frames) {
  for (auto _ : state) {
    Network network(name);
    StreamOp stream =
        makeStream(network.getOp(), {frames}, {1}, /*ivectorPeriod=*/0,
                   getFrameSubsamplingFactor(name));
    const double step =
        countFusedMultiplyAdds(*compileMatmuls(
            network.getOp(), getRequest(stream, frames, /*isFirst=*/false))) /
        double(frames);
    const double endless = countSteadyMultiplyAdds(name);
    state.counters["step"] = step * 1e-6;
    state.counters["endless"] = endless * 1e-6;
    state.counters["work"] = step / endless;
  }
}

static void registerStreams() {
  for (StringRef name : getNetworkNames())
    for (int64_t frames : {21, 150}) {
      // Its backward recurrence cannot stream.
      if (name == "blstm")
        continue;
      benchmark::RegisterBenchmark(
          ("operations/" + name + "/chunk:" + Twine(frames)).str().c_str(),
          [=](auto &state) { countStream(state, name, frames); })
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
}

static bool registerAll() {
  registerStreams();
  for (StringRef name : getNetworkNames())
    for (int32_t sequences : {1, 64}) {
      if (name == "seed")
        continue;
      std::string title =
          ("operations/" + name + "/n:" + Twine(sequences)).str();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [=](auto &state) { countOperations(state, name, sequences); })
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

static bool registered = registerAll();
