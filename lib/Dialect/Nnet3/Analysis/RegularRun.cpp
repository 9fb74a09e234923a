//===- RegularRun.cpp - Rounds that move by constant distances ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/RegularRun.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::nnet3;

/// Whether the round behind the current run continues it.
bool RegularRunFinder::extend(llvm::ArrayRef<int64_t> distances) {
  auto &[begin, end, steps, behind] = current;
  if (steps.empty()) {
    steps.assign(distances.begin(), distances.end());
    behind.assign(steps.size(), 0);
    return true;
  }
  for (auto [distance, step, place] :
       llvm::zip_equal(distances, steps, behind)) {
    if (distance == step)
      continue;
    if (place > 0 || numElided == 0)
      return false;
    // Two rounds do not tell on which side the elided ones are.
    if (distance == step * (numElided + 1)) {
      place = end;
    } else if (end == begin + 2 && step == distance * (numElided + 1)) {
      place = end - 1;
      step = distance;
    } else {
      return false;
    }
  }
  return true;
}

/// A round that differs otherwise starts a new run; one with other steps starts
/// a new run with the previous round.
void RegularRunFinder::add(
    const std::optional<llvm::SmallVector<int64_t>> &distances) {
  const int64_t round = current.end;
  if (!distances) {
    current = {round, round, {}, {}};
  } else if (!extend(*distances)) {
    current = {round - 1, round, {}, {}};
    extend(*distances);
  }
  current.end = round + 1;
  if (current.size() > longest.size())
    longest = current;
}
