//===- RowTableAlgebra.h - Parts and shapes of row tables -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on the structured form (RowTable.h), in time that depends on its size
// and not on the number of rows. All codes are well-formed.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_ROWTABLEALGEBRA_H
#define NNET3_DIALECT_NNET3_IR_ROWTABLEALGEBRA_H

#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

namespace mlir::nnet3::row_table {

/// Entries without a row at the beginning, and at the end; all of them if there
/// are no others.
int64_t getLeadingNone(llvm::ArrayRef<int64_t> code);
int64_t getTrailingNone(llvm::ArrayRef<int64_t> code);

/// Entries `begin`, ..., `begin` + `count` - 1.
Code slice(llvm::ArrayRef<int64_t> code, int64_t begin, int64_t count);

/// With `fn` applied to the source and row of each item that names one. A loop
/// moves the rows of all its rounds alike.
Code mapRows(llvm::ArrayRef<int64_t> code,
             llvm::function_ref<void(int64_t &source, int64_t &row)> fn);

/// With `delta` added to every row.
Code shifted(llvm::ArrayRef<int64_t> code, int64_t delta);

/// With `deltas[k]` added to every row of source k.
Code shifted(llvm::ArrayRef<int64_t> code, llvm::ArrayRef<int64_t> deltas);

/// With every row belonging to the first source.
Code withOneSource(llvm::ArrayRef<int64_t> code);

/// The rows of one sequence for `count` of them: each group of `block` entries
/// of `rows` is there for all sequences, each time `stride` rows further on.
/// Takes time that does not depend on `count`.
Code encodeRepeated(llvm::ArrayRef<RowRef> rows, int64_t block, int64_t count,
                    int64_t stride);

/// Rows of one source at equal distances.
struct Progression {
  int64_t source;
  int64_t start;
  int64_t count;
  int64_t step; // 1 if count is 1
};

/// The entries as a progression, if they are one.
std::optional<Progression> getProgression(llvm::ArrayRef<int64_t> code);

/// Neighbouring entries that name the same source.
struct Run {
  int64_t source;
  int64_t begin;
  int64_t count;
};

/// The runs of the table, if there are at most `maxRuns` and no entry is
/// without a row.
std::optional<llvm::SmallVector<Run>> getRuns(llvm::ArrayRef<int64_t> code,
                                              size_t maxRuns);

} // namespace mlir::nnet3::row_table

#endif // NNET3_DIALECT_NNET3_IR_ROWTABLEALGEBRA_H
