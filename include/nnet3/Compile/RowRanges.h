//===- RowRanges.h - Sums of regularly spaced rows --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_ROWRANGES_H
#define NNET3_COMPILE_ROWRANGES_H

#include "nnet3/Dialect/Nnet3/IR/Index.h"

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace mlir::nnet3 {

/// The sums of one add_row_ranges command: for each entry of the destination,
/// the first and the last entry of the source, or -1 for none. Every `step`-th
/// matrix row between them belongs to the sum.
struct RowRanges {
  std::vector<int32_t> first, last;
  int64_t step = 1;
};

/// Splits the additions of each source row i to row `targets[i]` of the
/// destination (-1 for no addition) into sums of regularly spaced rows.
/// `targets` has an entry for each of `source.rows`, below `numTargets`, the
/// number of entries of the destination.
///
/// A row that all frames use, such as an i-vector, gets a single sum; if the
/// sequences are innermost, over every N-th row. Otherwise the ranges are
/// consecutive rows, as in Kaldi (compile.md 8.4).
std::vector<RowRanges> splitIntoRanges(ArrayRef<int32_t> targets,
                                       int32_t numTargets,
                                       const IndexRows &source);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_ROWRANGES_H
