//===- ContextBenchmark.cpp - Finding the context of a network ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler finds the context of a network from windows of frames. It visits
// only the rows inside a window, so statistics over thousands of frames do not
// make it slow.
//
//===----------------------------------------------------------------------===//

#include "support/Networks.h"

#include "nnet3/Compile/Context.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Finds the context of the network. If \p right is not 0, its statistics look
/// \p right frames ahead.
static void findContext(benchmark::State &state, StringRef name,
                        int32_t right) {
  Network network(name);
  NetworkOp op = network.getOp();
  if (right > 0)
    op.walk(
        [&](StatisticsPoolingOp pooling) { pooling.setRightContext(right); });
  FailureOr<NodeTable> nodes = NodeTable::get(op);
  if (failed(nodes))
    return state.SkipWithError("the network cannot be read");
  for (auto _ : state) {
    FailureOr<NetworkContext> context = computeContext(op, *nodes);
    if (failed(context))
      return state.SkipWithError("the network has no context");
    benchmark::DoNotOptimize(context->left);
  }
}

static bool registerAll() {
  auto add = [](StringRef name, int32_t right, const Twine &suffix) {
    benchmark::RegisterBenchmark(
        ("context/" + name + suffix).str().c_str(),
        [=](auto &state) { findContext(state, name, right); })
        ->Unit(benchmark::kMillisecond);
  };
  for (StringRef name : getNetworkNames())
    add(name, 0, "");
  for (int32_t right : {1000, 10000, 100000})
    add("xvector", right, "/right:" + Twine(right));
  return true;
}

static bool registered = registerAll();
