//===- PassCount.h - What a pass counts -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packaged LLVMs are built without the statistics of mlir::Pass. These are our
// own, for what cannot be seen of a computation before and behind a pass.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_PASSCOUNT_H
#define NNET3_DIALECT_NNET3_ANALYSIS_PASSCOUNT_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::nnet3 {

/// Counts by their names, in the order in which they began.
using PassCounts = llvm::MapVector<llvm::StringRef, int64_t>;

/// A number that a pass counts up while it runs, a member of the pass. Counts
/// go to whoever collects those of this thread, else nowhere.
class PassCount {
public:
  /// `name` says of what, for people: "commands split".
  constexpr explicit PassCount(llvm::StringLiteral name) : name(name) {}

  void operator+=(int64_t count) const {
    if (collector && count)
      (*collector)[name] += count;
  }
  void operator++() const { *this += 1; }

  /// Where the counts of this thread go; null for nowhere.
  static inline thread_local PassCounts *collector = nullptr;

private:
  llvm::StringLiteral name;
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_PASSCOUNT_H
