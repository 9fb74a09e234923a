//===- AlignedMemory.cpp - Memory for matrices ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/AlignedMemory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace nnet3 {
namespace rt {

constexpr uint64_t kAlignment = 64;
#ifdef MADV_HUGEPAGE
constexpr uint64_t kHugePage = uint64_t(2) << 20;
#endif

static uint64_t roundUp(uint64_t size, uint64_t unit) {
  return (std::max<uint64_t>(size, 1) + unit - 1) / unit * unit;
}

/// Large allocations are aligned to huge pages if the system supports them.
static uint64_t getAlignment([[maybe_unused]] uint64_t size) {
#ifdef MADV_HUGEPAGE
  if (size >= 2 * kHugePage)
    return kHugePage;
#endif
  return kAlignment;
}

void *allocateAligned(uint64_t size) {
  const uint64_t alignment = getAlignment(size);
  if (size > SIZE_MAX - alignment)
    return nullptr;
  void *memory = std::aligned_alloc(alignment, roundUp(size, alignment));
#ifdef MADV_HUGEPAGE
  // A failure is harmless. An incomplete last huge page keeps small pages.
  if (memory && alignment == kHugePage)
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
