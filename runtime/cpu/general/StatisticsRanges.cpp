//===- StatisticsRanges.cpp - Ranges of input rows ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StatisticsRanges.h"

#include <string>

namespace nnet3 {
namespace rt {

std::unique_ptr<RangesPlan> planRanges(int32_t inRows, int32_t outRows,
                                       AttributeReader *precomputed,
                                       ErrorSink &errors) {
  if (!precomputed) {
    errors.fail("needs precomputed indexes");
    return nullptr;
  }
  auto plan = std::make_unique<RangesPlan>();
  plan->begins = precomputed->entries("begins", outRows);
  plan->ends = precomputed->entries("ends", outRows);
  if (!precomputed->ok())
    return nullptr;
  for (int32_t i = 0; i < outRows; ++i)
    if (plan->begins[i] < 0 || plan->begins[i] >= plan->ends[i] ||
        plan->ends[i] > inRows) {
      errors.fail("has the range from " + std::to_string(plan->begins[i]) +
                  " to " + std::to_string(plan->ends[i]) + " of " +
                  std::to_string(inRows) + " rows");
      return nullptr;
    }
  return plan;
}

} // namespace rt
} // namespace nnet3
