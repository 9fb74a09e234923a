//===- TimeOffsets.cpp - Input rows at several time offsets ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeOffsets.h"

#include <string>

namespace nnet3 {
namespace rt {

std::unique_ptr<TimeOffsetsPlan>
planTimeOffsets(int32_t inRows, int32_t outRows, int32_t numOffsets,
                AttributeReader *precomputed, ErrorSink &errors) {
  if (!precomputed) {
    errors.fail("needs precomputed indexes");
    return nullptr;
  }
  auto plan = std::make_unique<TimeOffsetsPlan>();
  plan->rowStride = precomputed->integer("row_stride", 1);
  const IntList offsets = precomputed->ints("row_offsets");
  if (!precomputed->ok())
    return nullptr;
  if (offsets.size() != static_cast<uint32_t>(numOffsets)) {
    errors.fail("expects " + std::to_string(numOffsets) +
                " row offsets, but got " + std::to_string(offsets.size()));
    return nullptr;
  }
  const int64_t span = int64_t(plan->rowStride) * (outRows - 1);
  for (uint32_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < 0 || offsets[i] >= inRows || span >= inRows - offsets[i]) {
      errors.fail("expects row offsets inside of " + std::to_string(inRows) +
                  " input rows, but got " + std::to_string(offsets[i]) +
                  " with stride " + std::to_string(plan->rowStride) + " for " +
                  std::to_string(outRows) + " output rows");
      return nullptr;
    }
    plan->rowOffsets.push_back(static_cast<int32_t>(offsets[i]));
  }
  return plan;
}

} // namespace rt
} // namespace nnet3
