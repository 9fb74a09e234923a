//===- Repetitions.h - Repeated parts of sequences --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_REPETITIONS_H
#define NNET3_DIALECT_NNET3_ANALYSIS_REPETITIONS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace mlir::nnet3 {

/// `rounds` repetitions of `period` symbols, from position `begin` on.
struct Repetition {
  int64_t begin, period, rounds;

  int64_t size() const { return period * rounds; }
  int64_t end() const { return begin + size(); }
  /// Number of symbols of all rounds but the first.
  int64_t getGain() const { return size() - period; }
};

/// Finds disjoint repetitions, in ascending order, with at least `minRounds`
/// rounds of at most `maxPeriod` symbols. Takes time proportional to the number
/// of pairs of equal symbols at most `maxPeriod` apart.
std::vector<Repetition> findRepetitions(llvm::ArrayRef<int32_t> symbols,
                                        int64_t maxPeriod, int64_t minRounds);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_REPETITIONS_H
