//===- ShadowMemory.h - Accesses to device memory ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_SHADOWMEMORY_H
#define NNET3_UNITTESTS_DEVICE_SHADOWMEMORY_H

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::nnet3::test {

/// Memory that kernels may access.
struct MemoryRange {
  const char *begin;
  size_t bytes;
  std::string name; ///< such as "arena", for messages
  /// Whether each block has its own copy.
  bool isShared;
};

/// The thread of an access, and the numbers of barriers before it. Launches
/// count from 1.
struct Accessor {
  uint32_t launch, block, phase, warp, warpPhase, thread;
};

/// A memory access of a GPU, which requires `alignment`.
struct MemoryAccess {
  const char *address;
  uint32_t bytes, alignment;
  bool writes;
};

/// Finds unordered accesses to a 4-byte word, at least one of them a write: by
/// different blocks of a launch, or by different threads of a block without a
/// block or warp barrier between them. Blocks must be executed one after
/// another.
class ShadowMemory {
public:
  /// Sets the current memory; forgets the accesses to other memory.
  void setRanges(const std::vector<MemoryRange> &ranges);

  /// Returns an error message if a GPU could not execute the access; otherwise
  /// an empty string.
  std::string checkPlace(const MemoryAccess &access);
  /// Records an access. Describes the access that it races with, or returns an
  /// empty string.
  std::string record(const MemoryAccess &access, const Accessor &by);

private:
  /// The part of a word's history that is enough to find every race: a new
  /// access races with one of these, or the race has been reported before.
  struct Word {
    Accessor writer, reader;
    Accessor otherReader;   ///< another thread of `reader`'s warp and phases
    Accessor distantReader; ///< a thread of another warp of `reader`'s block
                            ///< and phase
    Accessor foreignReader; ///< a thread of another block
  };
  struct Range {
    MemoryRange memory;
    /// Zero means no access yet; the system allocates pages on first use.
    std::unique_ptr<Word, decltype(&std::free)> words;
  };

  Range *find(const char *address);
  const Accessor *recordRead(Word &word, const Accessor &by, bool isShared);
  const Accessor *recordWrite(Word &word, const Accessor &by, bool isShared);

  std::map<const char *, Range> ranges;
  Range *last = nullptr; ///< the last accessed range
};

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_SHADOWMEMORY_H
