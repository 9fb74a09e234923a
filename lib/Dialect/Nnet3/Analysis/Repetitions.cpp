//===- Repetitions.cpp - Repeated runs of symbols -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <utility>

using namespace mlir::nnet3;

/// For each period up to `maxPeriod`, counts the symbols whose next occurrence
/// is one period later.
static std::vector<int64_t> countEqual(llvm::ArrayRef<int32_t> symbols,
                                       int64_t maxPeriod) {
  const int64_t count = symbols.size();
  // The position of the next occurrence of each symbol; `count` if none.
  std::vector<int64_t> next(count, count);
  llvm::DenseMap<int32_t, int64_t> places;
  for (int64_t i = count - 1; i >= 0; --i) {
    auto [place, isNew] = places.try_emplace(symbols[i], i);
    if (!isNew)
      next[i] = std::exchange(place->second, i);
  }
  std::vector<int64_t> equal(maxPeriod + 1);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t later = next[i]; later < count && later - i <= maxPeriod;
         later = next[later])
      ++equal[later - i];
  return equal;
}

/// Returns for each symbol the repetition with the largest gain that starts
/// there; of equal gains, the one with the shortest period.
static std::vector<Repetition> findBest(llvm::ArrayRef<int32_t> symbols,
                                        int64_t maxPeriod, int64_t minRounds) {
  const int64_t count = symbols.size();
  std::vector<Repetition> best(count);
  for (int64_t i = 0; i < count; ++i)
    best[i] = {i, 1, 1};
  maxPeriod = std::min(maxPeriod, count / minRounds);
  const std::vector<int64_t> numEqual = countEqual(symbols, maxPeriod);
  for (int64_t period = 1; period <= maxPeriod; ++period) {
    const int64_t needed = (minRounds - 1) * period;
    if (numEqual[period] < needed)
      continue;
    // Number of consecutive symbols that equal the symbol a period later.
    int64_t equal = 0;
    for (int64_t i = count - period - 1; i >= 0; --i) {
      equal = symbols[i] == symbols[i + period] ? equal + 1 : 0;
      // Upper bound of the gain of this repetition.
      if (equal < needed || equal <= best[i].getGain())
        continue;
      Repetition found = {i, period, equal / period + 1};
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
