//===- DamageTestUtil.h - Damaging files at every position ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_UNITTESTS_KALDI_DAMAGETESTUTIL_H
#define NNET3_UNITTESTS_KALDI_DAMAGETESTUTIL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

namespace nnet3::kaldi::test {

/// Reads `contents`; returns true on success.
using ReadFn = llvm::function_ref<bool(llvm::StringRef contents)>;

/// Expects that `read` accepts exactly the prefixes of `whole` with at least
/// `needed` bytes.
inline void expectOnlyWholeRead(llvm::StringRef whole, size_t needed,
                                ReadFn read) {
  for (size_t length = 0; length <= whole.size(); ++length)
    EXPECT_EQ(read(whole.take_front(length)), length >= needed) << length;
}

/// Changes each byte with each of `changes` (the bits to flip), and returns how
/// many of the results `read` rejects.
inline size_t countRefusedChanges(llvm::StringRef whole,
                                  std::initializer_list<unsigned> changes,
                                  ReadFn read) {
  size_t refused = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    for (unsigned change : changes) {
      SCOPED_TRACE("byte " + std::to_string(i) + ", bits " +
                   std::to_string(change));
      std::string changed = whole.str();
      changed[i] ^= change;
      refused += !read(changed);
    }
  }
  return refused;
}

/// Returns the name of a test whose parameter is a file name.
inline std::string
fileTestName(const testing::TestParamInfo<const char *> &info) {
  std::string name = info.param;
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

} // namespace nnet3::kaldi::test

#endif // NNET3_UNITTESTS_KALDI_DAMAGETESTUTIL_H
