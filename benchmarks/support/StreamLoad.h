//===- StreamLoad.h - Live streams for a scheduler --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_STREAMLOAD_H
#define NNET3_BENCHMARKS_STREAMLOAD_H

#include "nnet3/runtime/nnet3_scheduler.h"

#include <string>

namespace mlir::nnet3::benchmarks {

/// What streams a server gets.
struct StreamLoad {
  /// The library, with the prefix `net`.
  std::string library;
  /// Streams that the server admits at a time. So many more come that it mostly
  /// has as many: they arrive at random (a Poisson process), stay for 5 to 15
  /// seconds, and have a frame every 10 ms.
  double admitted = 1;
  /// Seconds that are measured.
  double seconds = 10;
  /// Stops early once more than half of the chunks are later than that.
  double latest = 1;
};

struct LoadResult {
  /// Streams at a time, on average.
  double streams = 0;
  nnet3sc_metrics metrics;
};

/// Plays the load in real time, to a scheduler with one worker that stays on
/// one CPU, from another CPU if there is one. Exits with a message where
/// anything fails.
LoadResult playLoad(const StreamLoad &load);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_STREAMLOAD_H
