//===- Repetitions.h - Stretches that come several times --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_REPETITIONS_H
#define NNET3_DIALECT_NNET3_ANALYSIS_REPETITIONS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace mlir::nnet3 {

/// `rounds` times the same `period` symbols, from number `begin` on.
struct Repetition {
  int64_t begin, period, rounds;

  int64_t size() const { return period * rounds; }
  int64_t end() const { return begin + size(); }
  /// Symbols that are there because of the rounds behind the first.
  int64_t getGain() const { return size() - period; }
};

/// Repetitions that do not overlap, in their order, with at least `minRounds`
/// rounds of at most `maxPeriod` symbols. The time is proportional to the
/// number of symbols and to `maxPeriod`.
std::vector<Repetition> findRepetitions(llvm::ArrayRef<int32_t> symbols,
                                        int64_t maxPeriod, int64_t minRounds);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_REPETITIONS_H
