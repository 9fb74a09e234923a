//===- BatchPlan.cpp - Which batches compute some streams -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BatchPlan.h"

using namespace nnet3::rt;

BatchPlan::BatchPlan(const std::vector<int32_t> &sizes) {
  if (sizes.empty())
    return;
  // Of all batches for so many streams.
  std::vector<int64_t> costs = {0};
  for (int32_t count = 1; count <= sizes.back(); ++count) {
    int64_t best = 0;
    int32_t choice = -1;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const int64_t cost =
          getBatchCost(sizes[i]) +
          costs[static_cast<size_t>(std::max(count - sizes[i], 0))];
      // Of equal ones the one with the largest batch that is full.
      if (choice < 0 || cost < best || (cost == best && sizes[i] <= count)) {
        best = cost;
        choice = static_cast<int32_t>(i);
      }
    }
    costs.push_back(best);
    choices.push_back(choice);
  }
}
