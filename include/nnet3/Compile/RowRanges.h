//===- RowRanges.h - Sums of regularly spaced rows --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_ROWRANGES_H
#define NNET3_COMPILE_ROWRANGES_H

#include "nnet3/Dialect/Nnet3/IR/Index.h"

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace mlir::nnet3 {

/// What one add_row_ranges command sums: for each entry of the destination, the
/// first and the last of the source's entries, -1 where there is none. Between
/// them every `step`-th matrix row belongs to the sum.
struct RowRanges {
  std::vector<int32_t> first, last;
  int64_t step = 1;
};

/// Splits "row i of the source is added to row targets[i] of the destination"
/// (-1: to none) into sums of regularly spaced rows. `targets` has an entry for
/// each of `source.rows`, and names entries of a destination that has
/// `numTargets` of them.
///
/// A row that all frames use, such as an i-vector, gets one sum, with the
/// sequences innermost one over every N-th row. Otherwise the ranges are those
/// of Kaldi: consecutive rows (compile.md 8.4).
std::vector<RowRanges> splitIntoRanges(ArrayRef<int32_t> targets,
                                       int32_t numTargets,
                                       const IndexRows &source);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_ROWRANGES_H
