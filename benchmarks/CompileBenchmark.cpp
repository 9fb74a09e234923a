//===- CompileBenchmark.cpp - Time to compile a request -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/RequestRuns.h"

using namespace mlir::nnet3::benchmarks;

/// Registers the benchmarks for several numbers of sequences and of frames.
static bool registerAll() {
  for (llvm::StringRef name : getNetworkNames()) {
    for (int32_t sequences : {1, 8, 64, 512})
      registerRun("compile", {Timed::Compiling, name.str(), sequences});
    for (int32_t frames : {300, 600, 1200})
      registerRun("compile", {Timed::Compiling, name.str(), 1, frames});
  }
  return true;
}

static bool registered = registerAll();
