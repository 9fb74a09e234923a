//===- OptimizeBenchmark.cpp - Time to optimise a computation -------------===//

#include "Networks.h"

#include "nnet3/Compile/Compile.h"
#include "nnet3/Optimize/Pipeline.h"

#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace ::nnet3::benchmarks;

/// Optimises the computation of one request again and again.
static void optimize(benchmark::State &state, StringRef name, bool trains,
                     int32_t sequences, int32_t frames) {
  Network network(name, trains);
  RequestOp request = network.makeRequest(sequences, frames);
  FailureOr<NodeTable> nodes = NodeTable::get(network.getOp());
  OpBuilder builder(request);
  PassManager manager(builder.getContext(), ComputationOp::getOperationName());
  manager.enableVerifier(false);
  addOptimizePasses(manager, OptimizeOptions());
  size_t commands = 0;
  for (auto _ : state) {
    state.PauseTiming();
    FailureOr<ComputationOp> computation =
        compileRequest(builder, network.getOp(), *nodes, request);
    state.ResumeTiming();
    if (failed(computation) || failed(manager.run(*computation)))
      return state.SkipWithError("does not compile");
    state.PauseTiming();
    commands = computation->getBody().front().getOperations().size();
    computation->erase();
    state.ResumeTiming();
  }
  state.counters["commands"] = commands;
}

/// Against the number of sequences, and against the number of frames.
static bool registerAll() {
  auto add = [](StringRef name, bool trains, int32_t sequences,
                int32_t frames) {
    std::string title = ((trains ? "optimize-train/" : "optimize/") + name +
                         "/n:" + Twine(sequences) + "/t:" + Twine(frames))
                            .str();
    benchmark::RegisterBenchmark(title.c_str(), [=](auto &state) {
      optimize(state, name, trains, sequences, frames);
    })->Unit(benchmark::kMillisecond);
  };
  for (StringRef name : getNetworkNames()) {
    for (int32_t sequences : {1, 64, 512})
      add(name, /*trains=*/false, sequences, 150);
    for (int32_t frames : {1200, 4800})
      add(name, /*trains=*/false, 1, frames);
    add(name, /*trains=*/true, 8, 150);
  }
  return true;
}

static bool registered = registerAll();
