//===- OutOfMemory.cpp - A single error when memory runs out --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of each tool. If memory runs out or LLVM has a fatal error, a tool
// prints one error, removes its unfinished output files and exits with status
// 1. Without this file it would abort.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/// Prints `message` without allocating memory, and ends the program. Other
/// threads that fail at the same time wait for the first one.
[[noreturn]] static void fail(const char *message) {
  static std::atomic_flag hasFailed = ATOMIC_FLAG_INIT;
  if (hasFailed.test_and_set()) {
    sleep(10);
    _exit(1);
  }
  for (const char *part : {"error: ", message, "\n"})
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0)
      break;
  llvm::sys::RunInterruptHandlers();
  _exit(1);
}

static void handleBadAlloc(void *, const char *, bool) {
  fail("out of memory");
}

// Sanitizers have their own malloc().
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) &&                 \
    !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
extern "C" void *__libc_malloc(size_t size);

/// Replaces the malloc of the C library: MLIR does not check its result.
extern "C" void *malloc(size_t size) {
  void *memory = __libc_malloc(size);
  if (!memory)
    fail("out of memory");
  return memory;
}
#endif

static void handleFatalError(void *, const char *reason, bool) { fail(reason); }

/// Bytes of the stack that are mapped at the start.
static constexpr size_t kStackSize = 1 << 20;

[[gnu::noinline]] static void touchStack() {
  constexpr size_t kPage = 1 << 12;
  volatile char stack[kStackSize];
  for (size_t at = kStackSize; at >= kPage; at -= kPage)
    stack[at - kPage] = 0;
}

/// Grows the stack to the size that the tools need. Otherwise, if the heap has
/// used up the limit of the address space, a deep call would end in a signal.
static void growStack() {
  void *probe = mmap(nullptr, 2 * kStackSize, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED)
    fail("out of memory");
  munmap(probe, 2 * kStackSize);
  touchStack();
}

static rlim_t getLimit(decltype(RLIMIT_AS) resource) {
  rlimit limit;
  return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

static void setUp() {
  llvm::install_fatal_error_handler(handleFatalError);
  llvm::install_bad_alloc_error_handler(handleBadAlloc);
  llvm::install_out_of_memory_new_handler();
  // Not if the stack limit itself is small.
  if (getLimit(RLIMIT_AS) != RLIM_INFINITY &&
      getLimit(RLIMIT_STACK) >= 4 * kStackSize)
    growStack();
}

/// Runs before the constructors of LLVM's libraries, which allocate.
[[gnu::section(".preinit_array"),
  gnu::used]] static void (*const setUpFirst)() = setUp;
