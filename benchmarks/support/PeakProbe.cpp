//===- PeakProbe.cpp - Peak rates of the machine --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PeakProbe.h"
#include "Timing.h"

#include <benchmark/benchmark.h>

#include <sys/mman.h>
#include <vector>

using namespace mlir::nnet3::benchmarks;

namespace {
/// Independent chains of multiply-adds: a CPU issues two per cycle, with a
/// latency of about four cycles.
constexpr int kChains = 16;
constexpr int kRounds = 20000;

typedef float Floats __attribute__((vector_size(64)));
} // namespace

/// The instruction sets with different vector widths.
#if defined(__x86_64__)
#define PROBE_CLONES                                                           \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PROBE_CLONES
#endif

PROBE_CLONES static float multiplyAdd(float factor, float summand) {
  Floats sums[kChains], factors, summands;
  for (int i = 0; i < 16; ++i) {
    factors[i] = factor;
    summands[i] = summand;
  }
  for (int chain = 0; chain < kChains; ++chain)
    sums[chain] = factors + float(chain);
  for (int round = 0; round < kRounds; ++round)
    for (int chain = 0; chain < kChains; ++chain)
      for (int i = 0; i < 16; ++i)
        sums[chain][i] =
            __builtin_fmaf(sums[chain][i], factors[i], summands[i]);
  float total = 0;
  for (const Floats &sum : sums)
    for (int i = 0; i < 16; ++i)
      total += sum[i];
  return total;
}

/// Returns the sum of `count` floats; `count` is a multiple of 16 vectors.
PROBE_CLONES static float sum(const float *values, int64_t count) {
  constexpr int kVectors = 16;
  Floats sums[kVectors] = {};
  for (int64_t first = 0; first < count; first += 16 * kVectors)
    for (int vector = 0; vector < kVectors; ++vector)
      sums[vector] +=
          *reinterpret_cast<const Floats *>(values + first + 16 * vector);
  Floats total = {};
  for (const Floats &part : sums)
    total += part;
  return total[0];
}

namespace {
/// Zero-filled memory in huge pages, if the system provides them.
class HugePages {
public:
  const float *get(size_t count) {
    if (values.size() >= count + kPage)
      return begin();
    values = std::vector<float>();
    values.reserve(count + kPage);
    madvise(begin(), count * sizeof(float), MADV_HUGEPAGE);
    values.resize(count + kPage);
    return begin();
  }

private:
  static constexpr size_t kPage = (size_t(2) << 20) / sizeof(float);

  float *begin() {
    const auto address = reinterpret_cast<uintptr_t>(values.data());
    constexpr uintptr_t kBytes = kPage * sizeof(float);
    return reinterpret_cast<float *>((address + kBytes - 1) / kBytes * kBytes);
  }

  std::vector<float> values;
};
} // namespace

double mlir::nnet3::benchmarks::measureReadBandwidth(int64_t bytes) {
  constexpr int kRounds = 4;
  constexpr int64_t kBlock = 16 * 16;
  const int64_t blocks = bytes / int64_t(kBlock * sizeof(float)) + 1;
  static HugePages memory;
  const float *values = memory.get(size_t(blocks * kBlock));
  float total = sum(values, blocks * kBlock);
  double time = processorSeconds([&] {
    for (int round = 0; round < kRounds; ++round) {
      total += sum(values, blocks * kBlock);
      benchmark::DoNotOptimize(total);
    }
  });
  return double(kRounds * blocks * kBlock * sizeof(float)) / time;
}

double mlir::nnet3::benchmarks::measurePeak() {
  float factor = 0.999f;
  benchmark::DoNotOptimize(factor);
  double time = processorSeconds([&] {
    float total = multiplyAdd(factor, 0.001f);
    benchmark::DoNotOptimize(total);
  });
  return 2.0 * 16 * kChains * kRounds / time;
}
