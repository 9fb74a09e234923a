//===- TimeBounds.h - Bounds of computable times ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_TIMEBOUNDS_H
#define NNET3_LIB_COMPILE_TIMEBOUNDS_H

#include "nnet3/Compile/NodeTable.h"

#include <optional>
#include <vector>

namespace mlir::nnet3 {

/// The times from `first` to `last`; none if `last` is smaller.
struct TimeBounds {
  /// Farther away than any ordinary time (see isOrdinary()).
  static constexpr int64_t kFar = int64_t(1) << 40;

  int64_t first = -kFar;
  int64_t last = kFar;

  /// Returns the times of `range` within these bounds; null if there are none.
  std::optional<TimeRange> clamp(const TimeRange &range) const;
};

/// Whether a row of a component is computable only if all rows that it reads
/// are. Assumes that all its rows have the same relative reads.
bool needsAllInputs(ComponentOpInterface component);

/// Returns for each node the bounds outside of which none of its rows is
/// computable. `supplied` has the bounds of the rows that the caller supplies.
/// `order` is a topological order of the nodes of a network without
/// recurrences. With bounds, a component that reads any of thousands of frames
/// does not query frames that cannot exist.
std::vector<TimeBounds>
computeTimeBounds(const NodeTable &nodes, ArrayRef<int32_t> order,
                  ArrayRef<std::optional<TimeBounds>> supplied);

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_TIMEBOUNDS_H
