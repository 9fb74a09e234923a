//===- PassCount.h - Statistics of passes -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packaged LLVMs are built without the statistics of mlir::Pass. These counts
// replace them, for numbers that do not follow from the computations before and
// after a pass.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_PASSCOUNT_H
#define NNET3_DIALECT_NNET3_ANALYSIS_PASSCOUNT_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::nnet3 {

/// Counts by their names, in the order of their first increments.
using PassCounts = llvm::MapVector<llvm::StringRef, int64_t>;

/// A counter of a pass, which is a member of the pass. Increments are added to
/// the collector of this thread, if there is one.
class PassCount {
public:
  /// `name` is the text for users, such as "commands split".
  constexpr explicit PassCount(llvm::StringLiteral name) : name(name) {}

  void operator+=(int64_t count) const {
    if (collector && count)
      (*collector)[name] += count;
  }
  void operator++() const { *this += 1; }

  /// The collector of the counts of this thread; null if counts are dropped.
  static inline thread_local PassCounts *collector = nullptr;

private:
  llvm::StringLiteral name;
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_PASSCOUNT_H
