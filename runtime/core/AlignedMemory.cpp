//===- AlignedMemory.cpp - Memory for matrices ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AlignedMemory.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>
#include <utility>

namespace nnet3 {
namespace rt {

constexpr uint64_t kAlignment = 64;
constexpr uint64_t kHugePage = uint64_t(2) << 20;

static uint64_t roundUp(uint64_t size, uint64_t unit) {
  return (std::max<uint64_t>(size, 1) + unit - 1) / unit * unit;
}

void *allocateAligned(uint64_t size) {
  if (size > UINT64_MAX - kHugePage)
    return nullptr;
  if (size < 2 * kHugePage)
    return std::aligned_alloc(kAlignment, roundUp(size, kAlignment));
  void *memory = std::aligned_alloc(kHugePage, roundUp(size, kHugePage));
#ifdef MADV_HUGEPAGE
  // Small pages do as well. The last page may be larger than what is left.
  if (memory)
    (void)madvise(memory, size / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return memory;
}

AlignedBytes::AlignedBytes(uint64_t size)
    : bytes(static_cast<unsigned char *>(allocateAligned(size))) {}

AlignedBytes::~AlignedBytes() { std::free(bytes); }

AlignedBytes::AlignedBytes(AlignedBytes &&other) noexcept
    : bytes(std::exchange(other.bytes, nullptr)) {}

AlignedBytes &AlignedBytes::operator=(AlignedBytes &&other) noexcept {
  std::swap(bytes, other.bytes);
  return *this;
}

} // namespace rt
} // namespace nnet3
