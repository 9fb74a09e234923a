//===- ArenaPlanner.h - Where matrices lie in memory ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_ARENAPLANNER_H
#define NNET3_RUNTIME_CORE_ARENAPLANNER_H

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace nnet3 {
namespace rt {

/// Assigns offsets in one arena to matrices that begin and end to exist in the
/// order of the commands: best fit among the free ranges, which are joined with
/// their neighbours. Offsets and sizes are multiples of kAlignment floats.
class ArenaPlanner {
public:
  static constexpr uint64_t kAlignment = 16; // 64 bytes

  /// Offset of a new range of \p size floats.
  uint64_t allocate(uint64_t size);
  /// Frees a range that allocate() gave for this \p size.
  void release(uint64_t offset, uint64_t size);
  /// Floats needed so far.
  uint64_t size() const { return end; }

private:
  void insertFree(uint64_t offset, uint64_t size);
  void eraseFree(std::map<uint64_t, uint64_t>::iterator range);

  uint64_t end = 0;
  std::map<uint64_t, uint64_t> freeByOffset;          ///< offset -> size
  std::set<std::pair<uint64_t, uint64_t>> freeBySize; ///< (size, offset)
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_ARENAPLANNER_H
