//===- CompileBenchmark.cpp - Time to compile a request -------------------===//

#include "Networks.h"

#include "nnet3/Compile/Compile.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace ::nnet3::benchmarks;

/// Compiles one request again and again; the network is read beforehand.
static void compile(benchmark::State &state, StringRef name, int32_t sequences,
                    int32_t frames) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, frames);
  FailureOr<NodeTable> nodes = NodeTable::get(network.getOp());
  OpBuilder builder(request.getContext());
  size_t commands = 0;
  for (auto _ : state) {
    FailureOr<ComputationOp> computation =
        compileRequest(builder, network.getOp(), *nodes, request);
    if (failed(computation)) {
      state.SkipWithError("does not compile");
      return;
    }
    state.PauseTiming();
    commands = computation->getBody().front().getOperations().size();
    computation->erase();
    state.ResumeTiming();
  }
  state.counters["commands"] = commands;
}

/// Against the number of sequences, and against the number of frames.
static bool registerAll() {
  for (StringRef name : getNetworkNames()) {
    auto add = [&](int32_t sequences, int32_t frames) {
      std::string title =
          ("compile/" + name + "/n:" + Twine(sequences) + "/t:" + Twine(frames))
              .str();
      benchmark::RegisterBenchmark(title.c_str(), [=](auto &state) {
        compile(state, name, sequences, frames);
      })->Unit(benchmark::kMillisecond);
    };
    for (int32_t sequences : {1, 8, 64, 512})
      add(sequences, 150);
    for (int32_t frames : {300, 600, 1200})
      add(1, frames);
  }
  return true;
}

static bool registered = registerAll();
