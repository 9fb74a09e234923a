//===- Container.h - The file around a program and its weights ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program file is a 64-byte header, a FlatBuffer (schema/program.fbs) and a
// weights blob, all little-endian. Header-only, so that writers of programs
// need not link the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CONTAINER_H
#define NNET3_RUNTIME_CONTAINER_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace nnet3 {
namespace rt {

/// First 64 bytes of a program file. Offsets count bytes from the beginning of
/// the file and are multiples of 64; padding bytes are zero. A weightsSize of 0
/// means that the weights are supplied separately.
struct ContainerHeader {
  char magic[4]; ///< "NN3P"
  uint32_t version;
  uint64_t programOffset;
  uint64_t programSize;
  uint64_t weightsOffset;
  uint64_t weightsSize;
  /// checksum() of the bytes of each part; 0 = not computed, not checked.
  uint64_t programChecksum;
  uint64_t weightsChecksum;
  uint64_t reserved; ///< zero
};
static_assert(sizeof(ContainerHeader) == 64, "the header is 64 bytes");

constexpr char kContainerMagic[4] = {'N', 'N', '3', 'P'};
constexpr uint32_t kContainerVersion = 2;
/// Alignment of the parts of a file, and of tensors in the weights.
constexpr uint64_t kContainerAlignment = 64;

/// Rounds \p offset up to the alignment of parts and tensors.
constexpr uint64_t alignContainerOffset(uint64_t offset) {
  return (offset + kContainerAlignment - 1) / kContainerAlignment *
         kContainerAlignment;
}

/// Returns a 64-bit checksum of \p size bytes, never 0. It detects accidental
/// damage only: eight independent multiply-xor lanes over 64-byte blocks run at
/// memory bandwidth.
inline uint64_t checksum(const void *data, size_t size) {
  constexpr uint64_t kPrime = 0x9E3779B97F4A7C15ull;
  const auto *bytes = static_cast<const unsigned char *>(data);
  uint64_t lanes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  size_t at = 0;
  for (; size - at >= 64; at += 64) {
    uint64_t words[8];
    std::memcpy(words, bytes + at, 64);
    for (int i = 0; i < 8; ++i) {
      lanes[i] = (lanes[i] ^ words[i]) * kPrime;
      lanes[i] ^= lanes[i] >> 29;
    }
  }
  uint64_t hash = size * kPrime;
  for (; at < size; ++at)
    hash = (hash ^ bytes[at]) * kPrime;
  for (uint64_t lane : lanes) {
    hash = (hash ^ lane) * kPrime;
    hash ^= hash >> 32;
  }
  return hash ? hash : 1;
}

/// Makes the header of a file in which the program follows the header and the
/// weights follow the program, each at the next multiple of 64. \p weights may
/// be null when \p weightsSize is 0.
inline ContainerHeader makeContainerHeader(const void *program,
                                           uint64_t programSize,
                                           const void *weights,
                                           uint64_t weightsSize) {
  ContainerHeader header = {};
  std::memcpy(header.magic, kContainerMagic, sizeof(header.magic));
  header.version = kContainerVersion;
  header.programOffset = sizeof(ContainerHeader);
  header.programSize = programSize;
  header.weightsOffset =
      alignContainerOffset(header.programOffset + programSize);
  header.weightsSize = weightsSize;
  header.programChecksum = checksum(program, programSize);
  header.weightsChecksum = weightsSize ? checksum(weights, weightsSize) : 0;
  return header;
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CONTAINER_H
