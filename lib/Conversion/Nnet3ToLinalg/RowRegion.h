//===- RowRegion.h - Functions of rows on tensors ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_CONVERSION_NNET3TOLINALG_ROWREGION_H
#define NNET3_LIB_CONVERSION_NNET3TOLINALG_ROWREGION_H

#include "TensorBuilder.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"

namespace mlir::nnet3 {
class RowEmission;

/// The operands of a component that has code for a row.
struct RowTensors {
  Value input;           ///< null without
  Value stored;          ///< the output before; null where it is not added to
  int64_t rows, columns; ///< of the output
  SmallVector<SmallVector<float>> vectors;
  SmallVector<SmallVector<int64_t>> indexes;
  /// Of RowReads::Range: the rows of the input for each row of the output.
  SmallVector<int64_t> begins, ends;
  /// Of RowReads::Shifted: rows from one to the next.
  int64_t shift = 0;
};

/// The output that the code of `emit` computes row by row, as operations on
/// whole tensors. Fails with an error where that has none.
FailureOr<Value> computeRows(TensorBuilder &tensors, RowKernelInterface row,
                             const RowTensors &operands,
                             function_ref<void(RowEmission &)> emit);

/// The results of the code that `emit` creates for single elements, for all
/// elements of `values`, tensors of one shape.
SmallVector<Value>
computeElements(TensorBuilder &tensors, ValueRange values,
                function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> emit);

} // namespace mlir::nnet3

#endif // NNET3_LIB_CONVERSION_NNET3TOLINALG_ROWREGION_H
