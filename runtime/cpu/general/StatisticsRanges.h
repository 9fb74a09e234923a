//===- StatisticsRanges.h - Ranges of input rows ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statistics components read a range of consecutive input rows for each
// output row.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_GENERAL_STATISTICSRANGES_H
#define NNET3_RUNTIME_CPU_GENERAL_STATISTICSRANGES_H

#include "core/ComponentAttributes.h"

#include <memory>

namespace nnet3 {
namespace rt {

/// The half-open range of input rows of each output row.
struct RangesPlan : CommandPlan {
  RowEntries begins;
  RowEntries ends;

  /// Calls f(output row, first input row, end of the input rows).
  template <typename Function> void forEachRange(Function f) const {
    for (size_t row = 0; row < begins.size(); ++row)
      f(static_cast<int32_t>(row), int64_t(begins[row]), int64_t(ends[row]));
  }
};

/// Reads and checks the ranges; returns null after an error.
std::unique_ptr<RangesPlan> planRanges(int32_t inRows, int32_t outRows,
                                       AttributeReader *precomputed,
                                       ErrorSink &errors);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_GENERAL_STATISTICSRANGES_H
