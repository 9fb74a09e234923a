//===- StreamLoad.h - Live streams for a scheduler --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_STREAMLOAD_H
#define NNET3_BENCHMARKS_STREAMLOAD_H

#include "nnet3/runtime/nnet3_scheduler.h"

#include <string>

namespace mlir::nnet3::benchmarks {

/// The load that a server gets.
struct StreamLoad {
  /// The library, with the prefix `net`.
  std::string library;
  /// Maximum number of concurrent streams. Enough streams arrive that the
  /// server is mostly full: they arrive as a Poisson process, last 5 to 15
  /// seconds, and have a frame every 10 ms.
  double admitted = 1;
  /// Duration of the measurement in seconds.
  double seconds = 10;
  /// Stops early if more than half of the chunks have a higher latency, in
  /// seconds.
  double latest = 1;
};

struct LoadResult {
  /// Average number of concurrent streams.
  double streams = 0;
  nnet3sc_metrics metrics;
};

/// Plays the load in real time to a scheduler with one worker, which is pinned
/// to one CPU; this thread uses another CPU if there is one. Exits with a
/// message after an error.
LoadResult playLoad(const StreamLoad &load);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_STREAMLOAD_H
