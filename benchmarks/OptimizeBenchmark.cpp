//===- OptimizeBenchmark.cpp - Time to optimise a computation -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/RequestRuns.h"

using namespace mlir::nnet3::benchmarks;

/// Registers the benchmarks for several numbers of sequences and of frames.
static bool registerAll() {
  for (llvm::StringRef name : getNetworkNames()) {
    for (int32_t sequences : {1, 64, 512})
      registerRun("optimize", {Timed::Optimizing, name.str(), sequences});
    for (int32_t frames : {1200, 4800})
      registerRun("optimize", {Timed::Optimizing, name.str(), 1, frames});
    registerRun("optimize-train", {Timed::Optimizing, name.str(),
                                   /*sequences=*/8, /*frames=*/150,
                                   /*trains=*/true});
  }
  return true;
}

static bool registered = registerAll();
