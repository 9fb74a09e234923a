//===- Random.h - Counter-based random numbers ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
// as 1, 2, 3", SC11). A number is a function of (seed, run, command,
// position), so results depend neither on threads nor on the order of
// evaluation.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_RANDOM_H
#define NNET3_RUNTIME_CPU_MATH_RANDOM_H

#include "core/Component.h"

#include <array>
#include <cstdint>

namespace nnet3 {
namespace rt {

/// Ten rounds of Philox on a 128-bit counter and a 64-bit key.
inline std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                      std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t(0xD2511F53u) * counter[0];
    const uint64_t b = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

/// The purpose of a command's random numbers. Commands are numbered per
/// purpose.
enum class RandomPurpose : uint32_t { Propagate, StoreStats, Backprop, Update };

/// The random numbers of one command in one run.
class RandomStream {
public:
  explicit RandomStream(const RunContext &context,
                        RandomPurpose purpose = RandomPurpose::Propagate)
      : key{static_cast<uint32_t>(context.seed),
            static_cast<uint32_t>(context.seed >> 32)},
        run(context.run),
        command(context.commandNumber | static_cast<uint32_t>(purpose) << 30),
        draws(context.draws) {}

  /// 32 random bits for \p position.
  uint32_t bits(uint64_t position) {
    if (draws != RandomDraws::Normal)
      return draws == RandomDraws::Zero ? 0 : ~uint32_t(0);
    if (position / 4 != block) {
      block = position / 4;
      numbers = philox({static_cast<uint32_t>(block),
                        static_cast<uint32_t>(block >> 32), command, run},
                       key);
    }
    return numbers[position % 4];
  }

  /// Uniform on [0, 1), a multiple of 2^-24.
  float uniform(uint64_t position) {
    return static_cast<float>(bits(position) >> 8) * (1.0f / 16777216);
  }

  /// Writes uniform numbers for \p n positions from \p position on; vectorised.
  void uniform(uint64_t position, int64_t n, float *y);

  /// Uniform on first..last, both inclusive; first <= last.
  int32_t integer(uint64_t position, int32_t first, int32_t last) {
    const uint64_t range = static_cast<uint64_t>(int64_t(last) - first) + 1;
    return static_cast<int32_t>(first +
                                int64_t((bits(position) * range) >> 32));
  }

private:
  std::array<uint32_t, 2> key;
  uint32_t run;
  uint32_t command;
  RandomDraws draws;
  uint64_t block = ~uint64_t(0);
  std::array<uint32_t, 4> numbers = {};
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_RANDOM_H
