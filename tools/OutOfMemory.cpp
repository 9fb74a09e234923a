//===- OutOfMemory.cpp - One error where memory ends ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of each tool. A lack of memory and LLVM's fatal errors end a tool with
// one error and exit status 1, and its unfinished output files are removed.
// Without this they abort.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/// Prints `message` without allocating, and ends the program. Other calls, by
/// threads that fail at the same time, wait for the first one.
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

// Sanitizers have a malloc() of their own.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) &&                 \
    !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
extern "C" void *__libc_malloc(size_t size);

/// Stands in for that of the C library: MLIR uses the memory unchecked.
extern "C" void *malloc(size_t size) {
  void *memory = __libc_malloc(size);
  if (!memory)
    fail("out of memory");
  return memory;
}
#endif

static void handleFatalError(void *, const char *reason, bool) { fail(reason); }

/// Bytes of the stack that are there from the beginning.
static constexpr size_t kStackSize = 1 << 20;

[[gnu::noinline]] static void touchStack() {
  constexpr size_t kPage = 1 << 12;
  volatile char stack[kStackSize];
  for (size_t at = kStackSize; at >= kPage; at -= kPage)
    stack[at - kPage] = 0;
}

/// Makes the stack as large as the tools need it. It grows within the limit of
/// the address space: where the heap has taken the rest, a deep call would be
/// ended by a signal.
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
  // Not with a stack that is itself small.
  if (getLimit(RLIMIT_AS) != RLIM_INFINITY &&
      getLimit(RLIMIT_STACK) >= 4 * kStackSize)
    growStack();
}

/// Runs before the constructors of LLVM's libraries, which allocate.
[[gnu::section(".preinit_array"),
  gnu::used]] static void (*const setUpFirst)() = setUp;
