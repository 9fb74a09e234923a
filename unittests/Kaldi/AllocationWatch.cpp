//===- AllocationWatch.cpp - Watches the size of allocations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestUtil.h"
#include <cstdlib>
#include <new>

static size_t largest = 0;

size_t nnet3::kaldi::test::largestAllocation() { return largest; }
void nnet3::kaldi::test::resetLargestAllocation() { largest = 0; }

// Replaces the operator new of the standard library.
void *operator new(size_t size) {
  largest = std::max(largest, size);
  if (void *memory = std::malloc(size))
    return memory;
  std::abort();
}

void *operator new(size_t size, std::align_val_t alignment) {
  largest = std::max(largest, size);
  void *memory = nullptr;
  size_t least = std::max(sizeof(void *), static_cast<size_t>(alignment));
  if (posix_memalign(&memory, least, size) == 0)
    return memory;
  std::abort();
}

void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return operator new(size);
}

void *operator new(size_t size, std::align_val_t alignment,
                   const std::nothrow_t &) noexcept {
  return operator new(size, alignment);
}

void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

void operator delete(void *memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete(void *memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}
