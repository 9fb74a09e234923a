//===- ProgramCache.h - Compiled programs on disk ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_PROGRAMCACHE_H
#define NNET3_EXECUTION_PROGRAMCACHE_H

#include "nnet3/Execution/ProgramKey.h"

#include "llvm/ADT/Twine.h"
#include <functional>
#include <optional>

namespace mlir::nnet3 {

/// A folder with compiled programs, one file for each, that outlives the
/// process. Several processes may use one folder at the same time: files are
/// created atomically, and a file that another process removes counts as not
/// found. The key, the size and the checksum of a file are verified before use.
class ProgramCache {
public:
  /// Receives a line of text without a line end.
  using Report = std::function<void(const llvm::Twine &line)>;

  /// The folder is created when the first program is stored. All files together
  /// have at most `maxBytes`. `warn` is called once if a program cannot be
  /// stored, `debug` for each file that is damaged or removed.
  ProgramCache(llvm::StringRef folder, uint64_t maxBytes, Report warn = {},
               Report debug = {});

  /// Returns the program stored for `key` and marks it as used; nullopt if
  /// there is no valid file.
  std::optional<std::string> find(const ProgramKey &key);

  /// Stores a program. Removes the least recently used programs if the total
  /// size would exceed the limit.
  void store(const ProgramKey &key, llvm::StringRef program);

  /// The path of the file for a key.
  std::string getPath(const ProgramKey &key) const;

private:
  std::error_code write(const std::string &path, const ProgramKey &key,
                        llvm::StringRef program);
  void removeOldest(llvm::StringRef except);

  std::string folder;
  uint64_t maxBytes;
  Report warn, debug;
  bool isWritable = true;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_PROGRAMCACHE_H
