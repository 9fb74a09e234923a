//===- RequestRuns.h - Compiling requests again and again -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_REQUESTRUNS_H
#define NNET3_BENCHMARKS_REQUESTRUNS_H

#include "Networks.h"

#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>

namespace mlir::nnet3::benchmarks {

/// The optimisations, with nothing between them.
class Optimizer {
public:
  explicit Optimizer(MLIRContext *context);
  llvm::LogicalResult run(ComputationOp computation) {
    return manager.run(computation);
  }

private:
  PassManager manager;
};

/// Which part of the way from a request to its optimised computation is timed.
enum class Timed {
  Compiling,
  Optimizing,
  Both,
  InLoops ///< both, and making loops, as `nnet3-run` does
};

/// A request of `makeRequest` for one of the networks, and what to time.
struct RequestRun {
  Timed timed = Timed::Both;
  std::string network;
  int32_t sequences = 1, frames = 150;
  bool trains = false;
};

/// Registers the benchmark FAMILY/NETWORK/n:SEQUENCES/t:FRAMES, which times a
/// run again and again; the network is read beforehand. Its counter `commands`
/// are those when the time ends.
void registerRun(llvm::StringRef family, const RequestRun &run);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_REQUESTRUNS_H
