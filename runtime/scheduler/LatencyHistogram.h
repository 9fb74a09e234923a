//===- LatencyHistogram.h - Histogram of durations --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_LATENCYHISTOGRAM_H
#define NNET3_RUNTIME_SCHEDULER_LATENCYHISTOGRAM_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace nnet3 {
namespace rt {

/// Counts durations in buckets whose bounds are 1/32 apart, from a microsecond
/// to twelve days. Allocates nothing.
class LatencyHistogram {
public:
  void add(double seconds);
  /// Returns the quantile \p share (0 to 1) of the durations in seconds,
  /// rounded up to the bound of a bucket; 0 if there are none.
  double getQuantile(double share) const;
  double getMax() const { return static_cast<double>(max) * 1e-6; }

private:
  /// Buckets below this number hold one microsecond each; above, each power of
  /// two has this number of buckets.
  static constexpr uint64_t kPerPower = 32;
  static constexpr int kPowers = 40;

  static size_t getBucket(uint64_t micros);
  static uint64_t getBound(size_t bucket);

  std::array<uint64_t, kPerPower *(kPowers - 4)> counts = {};
  uint64_t total = 0, max = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_LATENCYHISTOGRAM_H
