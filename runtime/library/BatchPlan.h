//===- BatchPlan.h - Splits streams into batches ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_BATCHPLAN_H
#define NNET3_RUNTIME_LIBRARY_BATCHPLAN_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// Returns the cost of a batch in halves of a stream: two for each slot, used
/// or not, and one for reading the weights.
inline int64_t getBatchCost(int32_t size) { return 2 * int64_t(size) + 1; }

/// Splits any number of streams into batches of the sizes that a library has,
/// at the least total cost. With sizes 1, 4 and 16, for example, nine streams
/// are 4 + 4 + 1, and fifteen are a batch of sixteen.
class BatchPlan {
public:
  BatchPlan() = default;
  /// \p sizes are positive and ascending.
  explicit BatchPlan(const std::vector<int32_t> &sizes);

  /// Returns the index of the size of the next batch for \p numStreams > 0
  /// remaining streams.
  int32_t choose(int64_t numStreams) const {
    const auto last = static_cast<int64_t>(choices.size());
    return choices[static_cast<size_t>(std::min(numStreams, last)) - 1];
  }

private:
  /// The result of choose() for 1 stream up to the largest size.
  std::vector<int32_t> choices;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_BATCHPLAN_H
