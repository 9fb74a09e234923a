//===- SanitizerOptions.cpp - AddressSanitizer beside an ordinary LLVM ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of every tool and test of a sanitizer build. LLVM's allocators poison
// the memory that they have not given out, in code that is instrumented: ours,
// as far as it comes from LLVM's headers. libMLIR and libLLVM are not, and use
// the same allocators without the bookkeeping, so that their memory looks
// poisoned to us. Nothing of our own poisons by hand, and no other check is
// switched off. An allocation of more than there is returns null, as without
// sanitizers.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options();

extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:allocator_may_return_null=1";
}
