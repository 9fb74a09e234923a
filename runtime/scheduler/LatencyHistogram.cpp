//===- LatencyHistogram.cpp - Histogram of durations ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LatencyHistogram.h"

#include <algorithm>
#include <cmath>

using namespace nnet3::rt;

size_t LatencyHistogram::getBucket(uint64_t micros) {
  size_t shift = 0;
  while (micros >> shift >= 2 * kPerPower)
    ++shift;
  return shift * kPerPower + static_cast<size_t>(micros >> shift);
}

/// The largest duration of a bucket.
uint64_t LatencyHistogram::getBound(size_t bucket) {
  const size_t shift = bucket < 2 * kPerPower ? 0 : bucket / kPerPower - 1;
  return ((bucket - shift * kPerPower + 1) << shift) - 1;
}

void LatencyHistogram::add(double seconds) {
  constexpr uint64_t kMost = (uint64_t(1) << kPowers) - 1;
  const double micros = std::ceil(std::max(seconds, 0.0) * 1e6);
  const uint64_t value = micros < double(kMost) ? uint64_t(micros) : kMost;
  ++counts[getBucket(value)];
  ++total;
  max = std::max(max, value);
}

double LatencyHistogram::getQuantile(double share) const {
  const double wanted = std::ceil(share * static_cast<double>(total));
  uint64_t seen = 0;
  for (size_t bucket = 0; bucket < counts.size(); ++bucket) {
    seen += counts[bucket];
    if (seen > 0 && static_cast<double>(seen) >= wanted)
      return static_cast<double>(std::min(getBound(bucket), max)) * 1e-6;
  }
  return 0;
}
