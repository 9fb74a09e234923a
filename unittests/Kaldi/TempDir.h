//===- TempDir.h - A directory for a test's files ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_UNITTESTS_KALDI_TEMPDIR_H
#define NNET3_UNITTESTS_KALDI_TEMPDIR_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <string>

namespace nnet3::kaldi::test {

/// A directory that the destructor removes.
class TempDir {
public:
  TempDir() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("nnet3-test", root));
  }
  ~TempDir() { (void)llvm::sys::fs::remove_directories(root); }

  /// Returns the path of `name` in the directory.
  std::string path(llvm::StringRef name) const {
    return (root + "/" + name).str();
  }

  /// Makes a file and returns its path.
  std::string file(llvm::StringRef name, llvm::StringRef contents) const {
    std::error_code code;
    llvm::raw_fd_ostream os(path(name), code);
    EXPECT_FALSE(code);
    os << contents;
    return path(name);
  }

  /// Returns the number of files in the directory.
  unsigned numFiles() const {
    unsigned count = 0;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(root, code), end;
         !code && it != end; it.increment(code))
      ++count;
    return count;
  }

private:
  llvm::SmallString<128> root;
};

} // namespace nnet3::kaldi::test

#endif // NNET3_UNITTESTS_KALDI_TEMPDIR_H
