//===- GrowthBenchmark.cpp - How compile time grows -----------------------===//
//
// Compiling and optimising a request, against the number of sequences and the
// number of frames. Feed-forward networks have the same number of commands
// whatever the frames, recurrent ones some for every time step.
//
//===----------------------------------------------------------------------===//

#include "Networks.h"

#include "nnet3/Compile/Compile.h"
#include "nnet3/Optimize/Pipeline.h"

#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace ::nnet3::benchmarks;

/// Compiles and optimises one request again and again; the network is read
/// beforehand. `commands` counts those before optimisation.
static void grow(benchmark::State &state, StringRef name, int32_t sequences,
                 int32_t frames) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, frames);
  FailureOr<NodeTable> nodes = NodeTable::get(network.getOp());
  OpBuilder builder(request);
  PassManager manager(builder.getContext(), ComputationOp::getOperationName());
  manager.enableVerifier(false);
  addOptimizePasses(manager, OptimizeOptions());
  size_t commands = 0;
  for (auto _ : state) {
    FailureOr<ComputationOp> computation =
        compileRequest(builder, network.getOp(), *nodes, request);
    if (failed(computation))
      return state.SkipWithError("does not compile");
    commands = computation->getBody().front().getOperations().size();
    if (failed(manager.run(*computation)))
      return state.SkipWithError("cannot be optimised");
    state.PauseTiming();
    computation->erase();
    state.ResumeTiming();
  }
  state.counters["sequences"] = sequences;
  state.counters["frames"] = frames;
  state.counters["commands"] = commands;
}

static bool registerAll() {
  for (StringRef name : getNetworkNames()) {
    auto add = [&](int32_t sequences, int32_t frames) {
      std::string title =
          ("growth/" + name + "/n:" + Twine(sequences) + "/t:" + Twine(frames))
              .str();
      benchmark::RegisterBenchmark(title.c_str(), [=](auto &state) {
        grow(state, name, sequences, frames);
      })->Unit(benchmark::kMillisecond);
    };
    for (int32_t sequences : {1, 8, 64, 512})
      add(sequences, 150);
    bool isRecurrent = name == "lstmp" || name == "blstm";
    for (int32_t frames : {600, 2400, 9600})
      add(1, frames);
    if (!isRecurrent)
      add(1, 60000);
  }
  return true;
}

static bool registered = registerAll();
