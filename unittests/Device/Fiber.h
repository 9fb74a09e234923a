//===- Fiber.h - A stack of its own for a thread of a block -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_FIBER_H
#define NNET3_UNITTESTS_DEVICE_FIBER_H

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <ucontext.h>

namespace mlir::nnet3::test {

/// Executes functions that can be left in the middle and continued. It must be
/// continued by the thread of this machine that has started it.
class Fiber {
public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Begins `function`, or forgets what was not at its end: destructors there
  /// are not called.
  void start(std::function<void()> function);
  /// Continues until it suspends itself or is at the end; whether it is.
  bool resume();
  /// Leaves `resume`; called by the function.
  void suspend();

private:
  static void run();

  char *stack;
  std::function<void()> function;
  /// Whether the stack has a loop of `run` that waits for a function.
  bool isIdle = false, isEntered = false;
  ucontext_t context;
  jmp_buf inside, outside;
};

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_FIBER_H
