//===- CountAllocations.cpp - Counts allocations --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CountAllocations.h"

#include <atomic>
#include <cstddef>

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

static std::atomic<bool> counting{false};
static std::atomic<int> allocations{0};

static void count() {
  if (counting)
    ++allocations;
}

extern "C" {
void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}
void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  count();
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}
}

namespace nnet3 {
namespace rt {
namespace test {

void startCounting() {
  allocations = 0;
  counting = true;
}

int stopCounting() {
  counting = false;
  return allocations;
}

} // namespace test
} // namespace rt
} // namespace nnet3
