//===- ImportBenchmark.cpp - Time to import a model -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Networks.h"

#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Reads a binary model from memory.
static void import(benchmark::State &state, StringRef name) {
  std::string model;
  {
    Network network(name);
    llvm::raw_string_ostream os(model);
    if (failed(mlir::nnet3::writeModel(network.getOp(), os, /*binary=*/true))) {
      state.SkipWithError("the model cannot be written");
      return;
    }
  }
  for (auto _ : state) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    context.loadDialect<Nnet3Dialect>();
    OwningOpRef<ModuleOp> module =
        mlir::nnet3::readModel(model, "model.raw", &context);
    if (!module) {
      state.SkipWithError("the model cannot be read");
      return;
    }
  }
  state.counters["MB"] = model.size() * 1e-6;
}

static bool registerAll() {
  for (StringRef name : getNetworkNames())
    benchmark::RegisterBenchmark(("import/" + name).str().c_str(),
                                 [=](auto &state) { import(state, name); })
        ->Unit(benchmark::kMillisecond);
  return true;
}

static bool registered = registerAll();
