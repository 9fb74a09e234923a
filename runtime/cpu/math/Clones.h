//===- Clones.h - Loops for several instruction sets ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_MATH_CLONES_H
#define NNET3_RUNTIME_CPU_MATH_CLONES_H

// One copy of each loop per level of x86-64, chosen by the loader. Sanitizers
// cannot instrument the choice, which runs before they are set up.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NNET3_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NNET3_SANITIZED 1
#endif
#if defined(__clang__) && defined(__x86_64__) && defined(__ELF__) &&           \
    !defined(NNET3_SANITIZED)
#define NNET3_HAS_CLONES 1
#define NNET3_CLONES                                                           \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define NNET3_CLONES
#endif

namespace nnet3 {
namespace rt {

/// Number of partial sums of a reduction, so that it vectorises without
/// reassociation of floating-point additions by the compiler.
constexpr int kLanes = 16;

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_CLONES_H
