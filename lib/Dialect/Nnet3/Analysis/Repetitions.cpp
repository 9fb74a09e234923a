//===- Repetitions.cpp - Repeated runs of symbols -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <utility>

using namespace mlir::nnet3;

/// Returns the position of the next occurrence of each symbol; the number of
/// symbols if there is none.
static std::vector<int64_t> findNext(llvm::ArrayRef<int32_t> symbols) {
  const int64_t count = symbols.size();
  std::vector<int64_t> next(count, count);
  llvm::DenseMap<int32_t, int64_t> places;
  for (int64_t i = count - 1; i >= 0; --i) {
    auto [place, isNew] = places.try_emplace(symbols[i], i);
    if (!isNew)
      next[i] = std::exchange(place->second, i);
  }
  return next;
}

namespace {
/// Consecutive symbols that equal the symbol a period later.
struct EqualRun {
  int64_t begin = -1, length = 0;
};
} // namespace

/// Returns for each symbol the repetition with the largest gain that starts
/// there; of equal gains, the one with the shortest period.
static std::vector<Repetition> findBest(llvm::ArrayRef<int32_t> symbols,
                                        int64_t maxPeriod, int64_t minRounds) {
  const int64_t count = symbols.size();
  maxPeriod = std::min(maxPeriod, count / minRounds);
  const std::vector<int64_t> next = findNext(symbols);
  std::vector<Repetition> best(count);
  std::vector<EqualRun> runs(maxPeriod + 1); // by period
  for (int64_t i = count - 1; i >= 0; --i) {
    best[i] = {i, 1, 1};
    for (int64_t later = next[i]; later < count && later - i <= maxPeriod;
         later = next[later]) {
      const int64_t period = later - i;
      auto &[begin, length] = runs[period];
      length = begin == i + 1 ? length + 1 : 1;
      begin = i;
      // The length is an upper bound of the gain of this repetition.
      if (length < (minRounds - 1) * period || length <= best[i].getGain())
        continue;
      Repetition found = {i, period, length / period + 1};
      if (found.getGain() > best[i].getGain())
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
    // A repetition must not hide a better one that starts inside it; it is
    // shortened to the rounds before that.
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
