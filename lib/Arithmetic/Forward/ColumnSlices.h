//===- ColumnSlices.h - Columns that are copied together --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_COLUMNSTRETCHES_H
#define NNET3_ARITHMETIC_FORWARD_COLUMNSTRETCHES_H

#include "nnet3/Arithmetic/RowEmission.h"

namespace mlir::nnet3 {

/// A list of columns as slices of equal, maximal length. If a permutation moves
/// blocks, such as the filters of a pixel, slices are copied as vectors.
struct ColumnSlices {
  explicit ColumnSlices(ArrayRef<int64_t> columns);

  /// Stores the values of `load` for these columns in order; `begins` is index
  /// list number `list`.
  void emitCopy(RowEmission &row, unsigned list,
                function_ref<Value(Value)> load) const;

  int64_t length = 0; ///< of each slice
  SmallVector<int64_t> begins;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_COLUMNSTRETCHES_H
