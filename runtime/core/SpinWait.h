//===- SpinWait.h - Waiting for other threads without sleeping --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_SPINWAIT_H
#define NNET3_RUNTIME_CORE_SPINWAIT_H

namespace nnet3 {
namespace rt {

/// Number of polls before a thread sleeps: some tens of microseconds. A polling
/// thread continues within a microsecond, a sleeping one needs twenty to wake
/// up.
constexpr int kLooks = 2000;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/// Polls \p isTrue until it holds, at most kLooks times; returns the last
/// result.
template <typename Condition> bool lookFor(Condition isTrue) {
  for (int i = 0; i < kLooks; ++i) {
    if (isTrue())
      return true;
    pause();
  }
  return isTrue();
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_SPINWAIT_H
