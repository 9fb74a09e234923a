//===- RowTableAlgebra.h - Operations on row tables -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions work on the structured form (RowTable.h), in time that depends
// on its length and not on the number of rows. All codes must be well-formed.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_ROWTABLEALGEBRA_H
#define NNET3_DIALECT_NNET3_IR_ROWTABLEALGEBRA_H

#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

namespace mlir::nnet3::row_table {

/// Number of entries without a row at the beginning and at the end; the number
/// of all entries if none has a row.
int64_t getLeadingNone(llvm::ArrayRef<int64_t> code);
int64_t getTrailingNone(llvm::ArrayRef<int64_t> code);

/// Returns entries `begin`, ..., `begin` + `count` - 1.
Code slice(llvm::ArrayRef<int64_t> code, int64_t begin, int64_t count);

/// Applies `fn` to the source and row of each kRow item. In a loop, this shifts
/// the rows of all iterations by the same distance.
Code mapRows(llvm::ArrayRef<int64_t> code,
             llvm::function_ref<void(int64_t &source, int64_t &row)> fn);

/// Adds `delta` to every row.
Code shifted(llvm::ArrayRef<int64_t> code, int64_t delta);

/// Adds `deltas[k]` to every row of source k.
Code shifted(llvm::ArrayRef<int64_t> code, llvm::ArrayRef<int64_t> deltas);

/// Sets the source of every row to 0.
Code withOneSource(llvm::ArrayRef<int64_t> code);

/// Encodes the rows of one sequence for `count` sequences: each group of
/// `block` entries of `rows` is repeated for all sequences, with `stride` added
/// to the rows each time. Takes time that does not depend on `count`.
Code encodeRepeated(llvm::ArrayRef<RowRef> rows, int64_t block, int64_t count,
                    int64_t stride);

/// Rows of one source at equal distances.
struct Progression {
  int64_t source;
  int64_t start;
  int64_t count;
  int64_t step; // 1 if count is 1
};

/// Returns the entries as a progression; nullopt if they are none.
std::optional<Progression> getProgression(llvm::ArrayRef<int64_t> code);

/// Consecutive entries with the same source.
struct Run {
  int64_t source;
  int64_t begin;
  int64_t count;
};

/// Returns the runs of the table; nullopt if there are more than `maxRuns`, or
/// an entry has no row.
std::optional<llvm::SmallVector<Run>> getRuns(llvm::ArrayRef<int64_t> code,
                                              size_t maxRuns);

} // namespace mlir::nnet3::row_table

#endif // NNET3_DIALECT_NNET3_IR_ROWTABLEALGEBRA_H
