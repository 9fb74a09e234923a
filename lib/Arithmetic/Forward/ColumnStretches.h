//===- ColumnStretches.h - Columns that are copied together -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_FORWARD_COLUMNSTRETCHES_H
#define NNET3_ARITHMETIC_FORWARD_COLUMNSTRETCHES_H

#include "nnet3/Arithmetic/RowEmission.h"

namespace mlir::nnet3 {

/// A list of columns as stretches of equally many neighbours, as many as there
/// can be: where a permutation moves blocks, such as the filters of a pixel,
/// they are vectors.
struct ColumnStretches {
  explicit ColumnStretches(ArrayRef<int64_t> columns);

  /// Stores what `load` gives for these columns, one after the other; `begins`
  /// are index list number `list`.
  void emitCopy(RowEmission &row, unsigned list,
                function_ref<Value(Value)> load) const;

  int64_t length = 0; ///< of each
  SmallVector<int64_t> begins;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_FORWARD_COLUMNSTRETCHES_H
