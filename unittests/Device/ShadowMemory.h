//===- ShadowMemory.h - Who has accessed the memory of a device -*- C++ -*-===//
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
  /// Whether each block has its own.
  bool isShared;
};

/// Who accesses memory. Launches are counted from 1.
struct Accessor {
  uint32_t launch, block, phase, warp, warpPhase, thread;
};

/// An access that a GPU would do: `alignment` is what it relies on.
struct MemoryAccess {
  const char *address;
  uint32_t bytes, alignment;
  bool writes;
};

/// Finds accesses of a word of four bytes that nothing puts in order, of which
/// one writes: those of different blocks of a launch, and those of different
/// threads of a block with no barrier between, of the block or of the warp that
/// both are in. Blocks have to be executed one
/// after another.
class ShadowMemory {
public:
  /// What there is now; what is known of other memory is forgotten.
  void setRanges(const std::vector<MemoryRange> &ranges);

  /// Why a GPU could not do that; empty if it can.
  std::string checkPlace(const MemoryAccess &access);
  /// With which access `access` races; empty if with none.
  std::string record(const MemoryAccess &access, const Accessor &by);

private:
  /// Enough of a word's history to find every race: whom a new access can race
  /// with is one of these, or has been found already.
  struct Word {
    Accessor writer, reader;
    Accessor otherReader;   ///< another thread of that one's warp and phases
    Accessor distantReader; ///< of another warp of that one's block and phase
    Accessor foreignReader; ///< of another block
  };
  struct Range {
    MemoryRange memory;
    /// Zero where nothing is known; the operating system gives memory only
    /// where it is used.
    std::unique_ptr<Word, decltype(&std::free)> words;
  };

  Range *find(const char *address);
  const Accessor *recordRead(Word &word, const Accessor &by, bool isShared);
  const Accessor *recordWrite(Word &word, const Accessor &by, bool isShared);

  std::map<const char *, Range> ranges;
  Range *last = nullptr; ///< the one that was accessed before
};

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_SHADOWMEMORY_H
