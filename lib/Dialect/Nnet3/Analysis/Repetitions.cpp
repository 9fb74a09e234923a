//===- Repetitions.cpp - Stretches that come several times ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"

#include <algorithm>

using namespace mlir::nnet3;

/// The repetition with the largest gain that begins at each symbol; of several
/// the one with the shortest period.
static std::vector<Repetition> findBest(llvm::ArrayRef<int32_t> symbols,
                                        int64_t maxPeriod, int64_t minRounds) {
  const int64_t count = symbols.size();
  std::vector<Repetition> best(count);
  for (int64_t i = 0; i < count; ++i)
    best[i] = {i, 1, 1};
  for (int64_t period = 1; period <= std::min(maxPeriod, count / minRounds);
       ++period) {
    // Number of symbols from here on that come again a period later.
    int64_t equal = 0;
    for (int64_t i = count - period - 1; i >= 0; --i) {
      equal = symbols[i] == symbols[i + period] ? equal + 1 : 0;
      Repetition found = {i, period, equal / period + 1};
      if (found.rounds >= minRounds && found.getGain() > best[i].getGain())
        best[i] = found;
    }
  }
  return best;
}

std::vector<Repetition>
mlir::nnet3::findRepetitions(llvm::ArrayRef<int32_t> symbols, int64_t maxPeriod,
                             int64_t minRounds) {
  std::vector<Repetition> best = findBest(symbols, maxPeriod, minRounds);
  std::vector<Repetition> result;
  const int64_t count = symbols.size();
  for (int64_t i = 0; i < count;) {
    if (best[i].rounds == 1) {
      ++i;
      continue;
    }
    // A short one must not keep a longer one that begins inside of it from
    // being found, but may have the rounds in front of that.
    auto better =
        std::find_if(best.begin() + i + 1, best.begin() + best[i].end(),
                     [&](const Repetition &other) {
                       return other.getGain() > best[i].getGain();
                     });
    Repetition found = best[i];
    if (better != best.begin() + best[i].end())
      found.rounds = (better->begin - i) / found.period;
    if (found.rounds < minRounds) {
      i = better->begin;
      continue;
    }
    result.push_back(found);
    i = found.end();
  }
  return result;
}
