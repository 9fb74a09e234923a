//===- StatisticsRanges.cpp - Stretches of input rows ---------------------===//

#include "StatisticsRanges.h"
#include "Registry.h"

#include <string>

namespace nnet3 {
namespace runtime {

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
  const auto size = static_cast<int32_t>(plan->begins.size());
  if (size == 0 || plan->ends.size() != plan->begins.size() ||
      outRows % size != 0 || inRows % (outRows / size) != 0) {
    errors.fail("expects a range for each of the " + std::to_string(outRows) +
                " output rows of its sequences");
    return nullptr;
  }
  plan->inRows = inRows / (outRows / size);
  for (int32_t i = 0; i < size; ++i)
    if (plan->begins[i] < 0 || plan->begins[i] >= plan->ends[i] ||
        plan->ends[i] > plan->inRows) {
      errors.fail("has the range from " + std::to_string(plan->begins[i]) +
                  " to " + std::to_string(plan->ends[i]) + " of " +
                  std::to_string(plan->inRows) + " rows");
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

} // namespace runtime
} // namespace nnet3
