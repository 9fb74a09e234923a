//===- Placement.h - Offsets in an arena ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assigns offsets in an arena. The compiler uses it for generated code, the
// interpreter when it loads a program.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_PLACEMENT_H
#define NNET3_RUNTIME_PLACEMENT_H

#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// A buffer of `size` floats that is live from time `begin` to time `end`,
/// inclusive, and its offset.
struct Lifetime {
  int64_t begin, end;
  int64_t size;
  int64_t offset = 0;
};

/// Alignment of matrices in floats: 64 bytes.
constexpr int64_t kPlacementAlignment = 16;

/// Rounds \p size up to the alignment.
constexpr int64_t alignPlacement(int64_t size) {
  return (size + kPlacementAlignment - 1) / kPlacementAlignment *
         kPlacementAlignment;
}

/// Largest end of an arena; keeps offsets from overflowing.
constexpr int64_t kMaxPlacementEnd = int64_t(1) << 48;

/// Sets the offsets, \p reserved or more, such that buffers with overlapping
/// lifetimes do not overlap in memory. Returns the size of the arena, at least
/// \p reserved. Takes O(n log n) for n lifetimes of at most kMaxPlacementEnd
/// floats each. If the result exceeds kMaxPlacementEnd, offsets are undefined.
int64_t placeLifetimes(std::vector<Lifetime> &lifetimes, int64_t reserved);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_PLACEMENT_H
