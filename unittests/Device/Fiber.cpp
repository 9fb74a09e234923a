//===- Fiber.cpp - A separate stack for a GPU thread ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack is entered by setcontext the first time, and later by longjmp, which
// makes no system call.
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <cstdlib>
#include <sys/mman.h>

using namespace mlir::nnet3::test;

static constexpr size_t kStackBytes = size_t(128) << 10;
/// Guard page below the stack, to detect an overflow.
static constexpr size_t kGuardBytes = size_t(4) << 10;

/// The fiber whose stack is being entered.
static thread_local Fiber *entered = nullptr;

Fiber::Fiber() {
  void *memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, kGuardBytes, PROT_NONE) != 0)
    std::abort();
  stack = static_cast<char *>(memory);
}

Fiber::~Fiber() { munmap(stack, kStackBytes); }

void Fiber::start(std::function<void()> newFunction) {
  function = std::move(newFunction);
  isEntered = isIdle;
}

void Fiber::run() {
  Fiber &self = *entered;
  for (;;) {
    self.function();
    self.isIdle = true;
    self.suspend();
  }
}

bool Fiber::resume() {
  isIdle = false;
  if (_setjmp(outside) == 0) {
    if (isEntered)
      _longjmp(inside, 1);
    isEntered = true;
    entered = this;
    getcontext(&context);
    context.uc_stack.ss_sp = stack + kGuardBytes;
    context.uc_stack.ss_size = kStackBytes - kGuardBytes;
    context.uc_link = nullptr;
    makecontext(&context, run, 0);
    setcontext(&context);
  }
  return isIdle;
}

void Fiber::suspend() {
  if (_setjmp(inside) == 0)
    _longjmp(outside, 1);
}
