//===- Random.cpp - Vectorised random numbers -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Random.h"
#include "Clones.h"

#include <algorithm>
#include <cstring>

namespace nnet3 {
namespace rt {

/// Writes four numbers for each of \p blocks consecutive counters from {first,
/// first >> 32, command, run} on. Runs the rounds of philox() on several
/// counters in parallel.
NNET3_CLONES static void uniformBlocks(int64_t blocks, uint64_t first,
                                       uint32_t command, uint32_t run,
                                       std::array<uint32_t, 2> key, float *y) {
  constexpr int kSide = 16;
  for (; blocks > 0; blocks -= kSide, first += kSide, y += 4 * kSide) {
    uint32_t c[4][kSide];
    for (int i = 0; i < kSide; ++i) {
      c[0][i] = static_cast<uint32_t>(first + i);
      c[1][i] = static_cast<uint32_t>((first + i) >> 32);
      c[2][i] = command;
      c[3][i] = run;
    }
    uint32_t key0 = key[0], key1 = key[1];
    for (int round = 0; round < 10; ++round) {
      for (int i = 0; i < kSide; ++i) {
        const uint64_t a = uint64_t(0xD2511F53u) * c[0][i];
        const uint64_t b = uint64_t(0xCD9E8D57u) * c[2][i];
        c[0][i] = static_cast<uint32_t>(b >> 32) ^ c[1][i] ^ key0;
        c[1][i] = static_cast<uint32_t>(b);
        c[2][i] = static_cast<uint32_t>(a >> 32) ^ c[3][i] ^ key1;
        c[3][i] = static_cast<uint32_t>(a);
      }
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    float numbers[4 * kSide];
    for (int i = 0; i < kSide; ++i)
      for (int j = 0; j < 4; ++j)
        numbers[4 * i + j] =
            static_cast<float>(static_cast<int32_t>(c[j][i] >> 8)) *
            (1.0f / 16777216);
    std::memcpy(y, numbers,
                sizeof(float) * 4 * (blocks < kSide ? blocks : kSide));
  }
}

void RandomStream::uniform(uint64_t position, int64_t n, float *y) {
  if (draws != RandomDraws::Normal) {
    std::fill_n(y, n, uniform(position));
    return;
  }
  for (; n > 0 && position % 4 != 0; --n)
    *y++ = uniform(position++);
  uniformBlocks(n / 4, position / 4, command, run, key, y);
  for (int64_t i = n / 4 * 4; i < n; ++i)
    y[i] = uniform(position + static_cast<uint64_t>(i));
}

} // namespace rt
} // namespace nnet3
