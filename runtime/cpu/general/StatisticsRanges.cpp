//===- StatisticsRanges.cpp - Stretches of input rows ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StatisticsRanges.h"
#include "cpu/Registry.h"

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
  plan->begins = precomputed->ints("begins");
  plan->ends = precomputed->ints("ends");
  if (!precomputed->ok())
    return nullptr;
  const auto size = static_cast<uint32_t>(outRows);
  if (plan->begins.size() != size || plan->ends.size() != size) {
    errors.fail("expects a range for each of the " + std::to_string(outRows) +
                " output rows");
    return nullptr;
  }
  for (uint32_t i = 0; i < size; ++i)
    if (plan->begins[i] < 0 || plan->begins[i] >= plan->ends[i] ||
        plan->ends[i] > inRows) {
      errors.fail("has the range from " + std::to_string(plan->begins[i]) +
                  " to " + std::to_string(plan->ends[i]) + " of " +
                  std::to_string(inRows) + " rows");
      return nullptr;
    }
  return plan;
}

namespace {
constexpr ComponentFactory kFactories[] = {
    {"StatisticsExtractionComponent", createStatisticsExtraction},
    {"StatisticsPoolingComponent", createStatisticsPooling}};
} // namespace

FactoryTable statisticsFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3
