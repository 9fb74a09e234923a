//===- Timing.h - How long something takes ----------------------*- C++ -*-===//

#ifndef NNET3_BENCHMARKS_TIMING_H
#define NNET3_BENCHMARKS_TIMING_H

#include <chrono>

namespace nnet3::benchmarks {

/// Seconds that \p fn takes.
template <typename Fn> double seconds(Fn fn) {
  auto start = std::chrono::steady_clock::now();
  fn();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

} // namespace nnet3::benchmarks

#endif // NNET3_BENCHMARKS_TIMING_H
