//===- RowTimes.h - The rows of a matrix in a time range --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_OPTIMIZE_ROWTIMES_H
#define NNET3_LIB_OPTIMIZE_ROWTIMES_H

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Dialect/Nnet3/IR/RowMask.h"

namespace mlir::nnet3 {

/// The rows of a matrix whose t is from `min` to `max`.
struct RowTimes {
  RowTimes() = default;
  RowTimes(IndexesAttr indexes, int32_t min, int32_t max);

  /// First row in range and end of the rows; equal if there are none.
  int64_t begin = 0, end = 0;
  /// Mask of the rows in range; all rows, including blank ones, if no t is out
  /// of range.
  RowMask mask;
  /// Whether all rows in [`begin`, `end`) are in range.
  bool isContiguous = true;

  bool isEmpty() const { return begin == end; }
};

/// The largest t of `indexes`; kNoTime if all rows are blank.
int32_t getLargestTime(IndexesAttr indexes);

/// Returns the indexes of rows [`begin`, `begin` + `count`).
IndexesAttr sliceIndexes(IndexesAttr indexes, int64_t begin, int64_t count);

} // namespace mlir::nnet3

#endif // NNET3_LIB_OPTIMIZE_ROWTIMES_H
