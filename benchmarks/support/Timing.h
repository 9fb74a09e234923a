//===- Timing.h - Time measurements -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_TIMING_H
#define NNET3_BENCHMARKS_TIMING_H

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace mlir::nnet3::benchmarks {

/// Returns the wall time of \p fn in seconds.
template <typename Fn> double seconds(Fn fn) {
  auto start = std::chrono::steady_clock::now();
  fn();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Returns the processor time of \p fn in seconds. Other processes affect it
/// only through the caches.
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

/// Returns the median of \p times, which is not empty: it is robust against a
/// few slow runs.
inline double getMedian(std::vector<double> times) {
  auto middle = times.begin() + times.size() / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_TIMING_H
