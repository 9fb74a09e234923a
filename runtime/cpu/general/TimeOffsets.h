//===- TimeOffsets.h - Input rows at several time offsets -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For components that read several times around each output row, rows are on a
// grid: for time offset i, the input row of output row k is row_offsets[i] + k
// * row_stride.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_GENERAL_TIMEOFFSETS_H
#define NNET3_RUNTIME_CPU_GENERAL_TIMEOFFSETS_H

#include "cpu/simple/AffineMap.h"

#include <memory>
#include <vector>

namespace nnet3 {
namespace rt {

struct TimeOffsetsPlan : CommandPlan {
  int32_t rowStride = 1;
  std::vector<int32_t> rowOffsets;

  InputParts parts() const {
    return {rowOffsets.data(), static_cast<int32_t>(rowOffsets.size()),
            rowStride};
  }
};

/// Reads and checks the precomputed rows for \p numOffsets offsets; returns
/// null after an error.
std::unique_ptr<TimeOffsetsPlan>
planTimeOffsets(int32_t inRows, int32_t outRows, int32_t numOffsets,
                AttributeReader *precomputed, ErrorSink &errors);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_GENERAL_TIMEOFFSETS_H
