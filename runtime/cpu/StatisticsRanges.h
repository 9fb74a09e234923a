//===- StatisticsRanges.h - Stretches of input rows -------------*- C++ -*-===//
//
// The components of statistics read a stretch of consecutive input rows for
// each output row; the rows of a sequence are consecutive, too.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_STATISTICSRANGES_H
#define NNET3_RUNTIME_CPU_STATISTICSRANGES_H

#include "core/Component.h"

#include <memory>

namespace nnet3 {
namespace runtime {

/// For each output row of one sequence the first input row of that sequence,
/// and the one behind the last; borrowed from the program.
struct RangesPlan : CommandPlan {
  IntList begins;
  IntList ends;
  int32_t inRows = 0; ///< of one sequence

  /// Calls f(output row, first input row, the one behind the last).
  template <typename Function>
  void forEachRange(int32_t outRows, Function f) const {
    const auto perSequence = static_cast<int32_t>(begins.size());
    for (int32_t row = 0; row < outRows; ++row) {
      const int64_t first = int64_t(row / perSequence) * inRows;
      const int32_t entry = row % perSequence;
      f(row, first + begins[entry], first + ends[entry]);
    }
  }
};

/// Reads and checks the ranges; null after an error.
std::unique_ptr<RangesPlan> planRanges(int32_t inRows, int32_t outRows,
                                       AttributeReader *precomputed,
                                       ErrorSink &errors);

std::unique_ptr<Component>
createStatisticsExtraction(AttributeReader &attributes);
std::unique_ptr<Component> createStatisticsPooling(AttributeReader &attributes);

} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_STATISTICSRANGES_H
