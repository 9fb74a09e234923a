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

/// A folder with compiled programs, a file for each, that outlives the process.
/// Several processes may use one at the same time: files appear whole, and what
/// another process removes is only missed. Nothing in a file is trusted: it has
/// to have the right key, size and checksum.
class ProgramCache {
public:
  /// Says something in a line, without its end.
  using Report = std::function<void(const llvm::Twine &line)>;

  /// The folder appears when something is stored. Together the files have at
  /// most `maxBytes`. `warn` is called once if nothing can be stored, `debug`
  /// for each file that is damaged or removed.
  ProgramCache(llvm::StringRef folder, uint64_t maxBytes, Report warn = {},
               Report debug = {});

  /// The program stored for `key`; none if there is no whole one. It counts as
  /// used now.
  std::optional<std::string> find(const ProgramKey &key);

  /// Stores a program. Those unused for longest are removed where it would get
  /// too much.
  void store(const ProgramKey &key, llvm::StringRef program);

  /// The file for a key.
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
