//===- Placement.h - Offsets in an arena ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one planner of arenas: the compiler's for the code that it generates, and
// the interpreter's when it loads a program.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_PLACEMENT_H
#define NNET3_RUNTIME_PLACEMENT_H

#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// Something of `size` floats that exists from time `begin` to time `end`, both
/// included, and where it is.
struct Lifetime {
  int64_t begin, end;
  int64_t size;
  int64_t offset = 0;
};

/// Matrices begin at multiples of so many floats, which are 64 bytes.
constexpr int64_t kPlacementAlignment = 16;

/// \p size floats rounded up to that.
constexpr int64_t alignPlacement(int64_t size) {
  return (size + kPlacementAlignment - 1) / kPlacementAlignment *
         kPlacementAlignment;
}

/// No plan reaches farther, so that offsets do not overflow.
constexpr int64_t kMaxPlacementEnd = int64_t(1) << 48;

/// Sets the offsets, from \p reserved on, such that what exists at the same
/// time does not overlap. Returns the end of the one that reaches farthest, at
/// least \p reserved. Takes O(n log n) for n lifetimes of at most
/// kMaxPlacementEnd floats each. Offsets are undefined where that end is beyond
/// kMaxPlacementEnd.
int64_t placeLifetimes(std::vector<Lifetime> &lifetimes, int64_t reserved);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_PLACEMENT_H
