//===- RequestRuns.cpp - Timed compilation of requests --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestRuns.h"

#include "nnet3/Compile/Compile.h"
#include "nnet3/Loops/CompileInLoops.h"
#include "nnet3/Optimize/Pipeline.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

Optimizer::Optimizer(MLIRContext *context)
    : manager(context, ComputationOp::getOperationName()) {
  manager.enableVerifier(false);
  addOptimizePasses(manager, OptimizeOptions());
}

static size_t countCommands(ComputationOp computation) {
  return computation.getBody().front().getOperations().size();
}

static void measure(benchmark::State &state, const RequestRun &run) {
  Network network(run.network, run.trains);
  RequestOp request = network.makeRequest(run.sequences, run.frames);
  FailureOr<NodeTable> nodes = NodeTable::get(network.getOp());
  OpBuilder builder(request);
  Optimizer optimizer(builder.getContext());
  size_t commands = 0;
  auto optimize = [&](ComputationOp op) { return optimizer.run(op); };
  std::string reason;
  CompileOptions inLoops;
  inLoops.elideRounds = true;
  for (auto _ : state) {
    if (run.timed == Timed::InLoops) {
      FailureOr<ComputationOp> computation = compileInLoops(
          builder, network.getOp(), *nodes, request, inLoops, optimize, reason);
      if (failed(computation))
        return state.SkipWithError("does not compile");
      state.PauseTiming();
      commands = countCommands(*computation);
      computation->erase();
      state.ResumeTiming();
      continue;
    }
    if (run.timed == Timed::Optimizing)
      state.PauseTiming();
    FailureOr<ComputationOp> computation =
        compileRequest(builder, network.getOp(), *nodes, request);
    if (failed(computation))
      return state.SkipWithError("does not compile");
    if (run.timed == Timed::Optimizing)
      state.ResumeTiming();
    if (run.timed != Timed::Optimizing)
      commands = countCommands(*computation);
    if (run.timed != Timed::Compiling && failed(optimizer.run(*computation)))
      return state.SkipWithError("cannot be optimised");
    state.PauseTiming();
    if (run.timed == Timed::Optimizing)
      commands = countCommands(*computation);
    computation->erase();
    state.ResumeTiming();
  }
  state.counters["sequences"] = run.sequences;
  state.counters["frames"] = run.frames;
  state.counters["commands"] = commands;
}

void mlir::nnet3::benchmarks::registerRun(StringRef family,
                                          const RequestRun &run) {
  std::string title = (family + "/" + run.network +
                       "/n:" + Twine(run.sequences) + "/t:" + Twine(run.frames))
                          .str();
  benchmark::RegisterBenchmark(title.c_str(), [=](auto &state) {
    measure(state, run);
  })->Unit(benchmark::kMillisecond);
}
