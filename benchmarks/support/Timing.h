//===- Timing.h - How long something takes ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_TIMING_H
#define NNET3_BENCHMARKS_TIMING_H

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace mlir::nnet3::benchmarks {

/// Seconds that \p fn takes.
template <typename Fn> double seconds(Fn fn) {
  auto start = std::chrono::steady_clock::now();
  fn();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Seconds of the processors' time that \p fn takes: what others do on the
/// machine meanwhile counts through the caches alone.
template <typename Fn> double processorSeconds(Fn fn) {
  auto now = [] {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  };
  const double start = now();
  fn();
  return now() - start;
}

/// The median of \p times, at least one: a neighbour who slows down some of
/// them changes it little.
inline double getMedian(std::vector<double> times) {
  auto middle = times.begin() + times.size() / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_TIMING_H
