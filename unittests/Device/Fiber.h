//===- Fiber.h - A separate stack for a GPU thread --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_FIBER_H
#define NNET3_UNITTESTS_DEVICE_FIBER_H

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <ucontext.h>

namespace mlir::nnet3::test {

/// Executes functions that can be suspended and resumed, on the host thread
/// that has started them.
class Fiber {
public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Begins `function`. An unfinished function is dropped without calling its
  /// destructors.
  void start(std::function<void()> function);
  /// Resumes until the function suspends itself or ends; returns true if it has
  /// ended.
  bool resume();
  /// Returns from `resume`; called by the function.
  void suspend();

private:
  static void run();

  char *stack;
  std::function<void()> function;
  /// Whether the stack has a `run` loop that waits for a function.
  bool isIdle = false, isEntered = false;
  ucontext_t context;
  jmp_buf inside, outside;
};

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_FIBER_H
