//===- Random.h - Platform-independent random numbers -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOM_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOM_H

#include <cstdint>
#include <utility>
#include <vector>

namespace mlir::nnet3::property {

/// SplitMix64: gives the same numbers for a seed on every platform, unlike the
/// distributions of the standard library.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  /// Returns an integer from `first` to `last`, both included.
  int between(int first, int last) {
    return first + int(next() % uint64_t(last - first + 1));
  }
  /// Returns a number that is uniform on [first, last).
  double real(double first, double last) {
    return first + (last - first) * (double(next() >> 11) / 9007199254740992.0);
  }
  bool chance(double probability) { return real(0, 1) < probability; }

  template <typename T> const T &pick(const std::vector<T> &list) {
    return list[between(0, int(list.size()) - 1)];
  }
  template <typename T> void shuffle(std::vector<T> &list) {
    for (int i = int(list.size()) - 1; i > 0; --i)
      std::swap(list[i], list[between(0, i)]);
  }

private:
  uint64_t state;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOM_H
