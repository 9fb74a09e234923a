//===- BatchPlan.cpp - Splits streams into batches ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BatchPlan.h"

using namespace nnet3::rt;

BatchPlan::BatchPlan(const std::vector<int32_t> &sizes) {
  if (sizes.empty())
    return;
  // Least total cost by number of streams.
  std::vector<int64_t> costs = {0};
  for (int32_t count = 1; count <= sizes.back(); ++count) {
    int64_t best = 0;
    int32_t choice = -1;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const int64_t cost =
          getBatchCost(sizes[i]) +
          costs[static_cast<size_t>(std::max(count - sizes[i], 0))];
      // Of equal costs, prefer the largest full batch.
      if (choice < 0 || cost < best || (cost == best && sizes[i] <= count)) {
        best = cost;
        choice = static_cast<int32_t>(i);
      }
    }
    costs.push_back(best);
    choices.push_back(choice);
  }
}
