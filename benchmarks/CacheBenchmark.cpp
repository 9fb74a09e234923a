//===- CacheBenchmark.cpp - Compiled programs and the program cache -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Networks.h"

#include "nnet3/Execution/NnetRunner.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;
using mlir::nnet3::NnetRunner;
using mlir::nnet3::ProgramCache;
using mlir::nnet3::RunnerOptions;

namespace {
/// A temporary cache folder; the destructor removes it.
class Folder {
public:
  Folder() {
    (void)llvm::sys::fs::createUniqueDirectory("nnet3-benchmark", path);
  }
  ~Folder() { (void)llvm::sys::fs::remove_directories(path); }

  llvm::SmallString<128> path;
};
} // namespace

/// Measures the time from a request for 64 sequences to its program. The
/// program is compiled each time, or loaded from the cache by a new runner.
static void load(benchmark::State &state, StringRef name, bool trains,
                 bool isCached) {
  Network network(name, trains);
  RequestOp request = network.makeRequest(/*sequences=*/64, /*frames=*/150);
  Folder folder;
  RunnerOptions options;
  if (isCached)
    options.programCache =
        std::make_shared<ProgramCache>(folder.path, uint64_t(1) << 30);
  auto makeRunner = [&] {
    return std::move(*NnetRunner::create(network.getOp(), options));
  };
  if (isCached && failed(makeRunner()->load(request)))
    return state.SkipWithError("does not compile");
  for (auto _ : state) {
    state.PauseTiming();
    auto runner = makeRunner();
    state.ResumeTiming();
    auto program = runner->load(request);
    state.PauseTiming();
    if (failed(program) || runner->getNumCompiled() == isCached)
      return state.SkipWithError("the program is not where it should be");
    state.counters["commands"] = (*program)->numCommands();
    program = failure();
    runner.reset();
    state.ResumeTiming();
  }
}

static bool registerAll() {
  for (StringRef name : {"tdnnf", "lstmp"})
    for (bool trains : {false, true})
      for (bool isCached : {false, true}) {
        std::string title =
            ("program/" + name + (trains ? "/train" : "/infer") +
             (isCached ? "/found" : "/compiled"))
                .str();
        benchmark::RegisterBenchmark(
            title.c_str(),
            [=](auto &state) { load(state, name, trains, isCached); })
            // Creating the runners takes longer than the timed part.
            ->Iterations(20)
            ->Unit(benchmark::kMillisecond);
      }
  return true;
}

static bool registered = registerAll();
