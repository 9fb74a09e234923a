//===- GrowthBenchmark.cpp - How compile time grows -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling and optimising a request, against the number of sequences and the
// number of frames. `growth` rolls recurrences into loops; `growth-steps` does
// not, so recurrent networks have several commands per time step;
// `growth-backward` is `growth` with derivatives. Synthetic
// computations, which no network produces, show how optimisation time grows
// with the number of commands.
//
//===----------------------------------------------------------------------===//

#include "support/RequestRuns.h"
#include "support/Synthetic.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Optimises one synthetic computation repeatedly.
static void optimizeSynthetic(benchmark::State &state, StringRef name,
                              int64_t k) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = makeSynthetic(name, k, &context);
  if (!module)
    return state.SkipWithError("is no computation");
  auto computation = *module->getOps<ComputationOp>().begin();
  Optimizer optimizer(&context);
  for (auto _ : state) {
    state.PauseTiming();
    ComputationOp copy = computation.clone();
    module->push_back(copy);
    state.ResumeTiming();
    if (failed(optimizer.run(copy)))
      return state.SkipWithError("cannot be optimised");
    state.PauseTiming();
    copy.erase();
    state.ResumeTiming();
  }
  state.counters["sequences"] = 1;
  state.counters["commands"] =
      computation.getBody().front().getOperations().size();
}

static bool registerAll() {
  for (StringRef name : getNetworkNames()) {
    const bool isRecurrent = name == "lstmp" || name == "blstm";
    auto add = [&](int32_t sequences, int32_t frames) {
      registerRun("growth", {Timed::InLoops, name.str(), sequences, frames});
      if (!isRecurrent)
        return;
      registerRun("growth-steps", {Timed::Both, name.str(), sequences, frames});
      registerRun("growth-backward", {Timed::InLoops, name.str(), sequences,
                                      frames, /*trains=*/true});
    };
    for (int32_t sequences : {1, 8, 64, 512})
      add(sequences, 150);
    for (int32_t frames : {600, 2400, 9600})
      add(1, frames);
    add(1, 60000);
  }
  for (StringRef name : getSyntheticNames())
    for (int64_t k : {1000, 2000, 4000, 8000})
      benchmark::RegisterBenchmark(
          ("growth/" + name + "/k:" + Twine(k)).str().c_str(),
          [=](auto &state) { optimizeSynthetic(state, name, k); })
          ->Unit(benchmark::kMillisecond);
  return true;
}

static bool registered = registerAll();
