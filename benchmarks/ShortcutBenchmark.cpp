//===- ShortcutBenchmark.cpp - Expanding sequences instead of compiling ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/RequestRuns.h"

#include "nnet3/Compile/Compile.h"
#include "nnet3/Shortcut/ExpandComputation.h"
#include "nnet3/Shortcut/MiniRequest.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

namespace {
/// How the computation of a request is obtained.
enum class Way {
  Folded,   ///< compiled and optimised, with the sequences folded into one
  RowByRow, ///< compiled and optimised row by row
  Expanded  ///< expanded from a given optimised computation for two sequences
};
} // namespace

static ComputationOp compile(Network &network, RequestOp request,
                             const CompileOptions &options) {
  FailureOr<NodeTable> nodes = NodeTable::get(network.getOp());
  OpBuilder builder = OpBuilder::atBlockEnd(network.getOp()->getBlock());
  FailureOr<ComputationOp> computation =
      compileRequest(builder, network.getOp(), *nodes, request, options);
  if (failed(computation))
    return nullptr;
  Optimizer optimizer(request.getContext());
  return succeeded(optimizer.run(*computation)) ? *computation : nullptr;
}

static void run(benchmark::State &state, StringRef name, int32_t sequences,
                Way way) {
  Network network(name, /*trains=*/true);
  RequestOp request = network.makeRequest(sequences, /*frames=*/150);
  CompileOptions options;
  options.foldSequences = way != Way::RowByRow;
  ComputationOp mini;
  if (way == Way::Expanded) {
    options.expandable = true;
    mini = compile(network, *createMiniRequest(request), options);
  }
  OpBuilder builder = OpBuilder::atBlockEnd(network.getOp()->getBlock());
  std::string reason;
  for (auto _ : state) {
    ComputationOp computation =
        way == Way::Expanded
            ? expandComputation(builder, mini, sequences, reason)
            : compile(network, request, options);
    if (!computation) {
      state.SkipWithError("does not compile");
      return;
    }
    state.PauseTiming();
    computation.erase();
    state.ResumeTiming();
  }
}

static bool registerAll() {
  for (StringRef name : getNetworkNames()) {
    auto add = [&](StringRef title, int32_t sequences, Way way) {
      std::string text =
          ("shortcut/" + name + "/n:" + Twine(sequences) + "/" + title).str();
      benchmark::RegisterBenchmark(text.c_str(), [=](auto &state) {
        run(state, name, sequences, way);
      })->Unit(benchmark::kMillisecond);
    };
    for (int32_t sequences : {8, 64, 512}) {
      add("folded", sequences, Way::Folded);
      add("expanded", sequences, Way::Expanded);
    }
    add("row-by-row", 8, Way::RowByRow);
  }
  return true;
}

static bool registered = registerAll();
