//===- RequestRuns.h - Timed compilation of requests ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_REQUESTRUNS_H
#define NNET3_BENCHMARKS_REQUESTRUNS_H

#include "Networks.h"

#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>

namespace mlir::nnet3::benchmarks {

/// Runs the optimisations, without the verifier.
class Optimizer {
public:
  explicit Optimizer(MLIRContext *context);
  llvm::LogicalResult run(ComputationOp computation) {
    return manager.run(computation);
  }

private:
  PassManager manager;
};

/// The part of the compilation that is timed.
enum class Timed {
  Compiling,
  Optimizing,
  Both,
  InLoops ///< both, and rolling recurrences into loops, as `nnet3-run` does
};

/// The arguments of `makeRequest` for a network, and the part to time.
struct RequestRun {
  Timed timed = Timed::Both;
  std::string network;
  int32_t sequences = 1, frames = 150;
  bool trains = false;
};

/// Registers the benchmark FAMILY/NETWORK/n:SEQUENCES/t:FRAMES, which repeats a
/// timed run; the network is read beforehand. The counter `commands` is the
/// number of commands at the end.
void registerRun(llvm::StringRef family, const RequestRun &run);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_REQUESTRUNS_H
