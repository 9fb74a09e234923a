//===- TimeBounds.h - Times at which rows may be computable -----*- C++ -*-===//
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
  /// Further away than any time that is not out of the ordinary.
  static constexpr int64_t kFar = int64_t(1) << 40;

  int64_t first = -kFar;
  int64_t last = kFar;

  /// The times of `range` that are within these; null if there are none.
  std::optional<TimeRange> clamp(const TimeRange &range) const;
};

/// Whether a row of a component, whose rows are alike, is computable only when
/// all rows are that it reads.
bool needsAllInputs(ComponentOpInterface component);

/// For each node the times outside of which no row of it is computable, where
/// `supplied` has those of the rows that the caller gives. `order` lists the
/// nodes of a network without recurrences, each behind those that it reads. A
/// component that can do with any of thousands of frames need not ask for those
/// that there cannot be.
std::vector<TimeBounds>
computeTimeBounds(const NodeTable &nodes, ArrayRef<int32_t> order,
                  ArrayRef<std::optional<TimeBounds>> supplied);

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_TIMEBOUNDS_H
