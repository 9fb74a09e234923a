//===- RegularRun.h - Rounds that move by constant distances ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_REGULARRUN_H
#define NNET3_DIALECT_NNET3_ANALYSIS_REGULARRUN_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::nnet3 {

/// Rounds whose operands move by constant steps, except that each may once move
/// by the steps of elided rounds as well.
struct RegularRun {
  int64_t begin = 0, end = 0;
  llvm::SmallVector<int64_t> steps; ///< of the operands; empty for one round
  /// For each operand, the first round behind the elided ones; 0 if there are
  /// none yet.
  llvm::SmallVector<int64_t> behind;

  int64_t size() const { return end - begin; }
};

/// Finds the longest regular run of rounds, which are added in order.
class RegularRunFinder {
public:
  explicit RegularRunFinder(int64_t numElided = 0) : numElided(numElided) {}

  /// Adds a round whose operands moved by `distances` from the previous round;
  /// nothing if they differ otherwise, or if it is the first round.
  void add(const std::optional<llvm::SmallVector<int64_t>> &distances);
  const RegularRun &getLongest() const { return longest; }

private:
  bool extend(llvm::ArrayRef<int64_t> distances);

  int64_t numElided;
  RegularRun current, longest;
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_REGULARRUN_H
