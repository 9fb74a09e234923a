//===- RowRegion.h - Row functions on tensors -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_CONVERSION_NNET3TOLINALG_ROWREGION_H
#define NNET3_LIB_CONVERSION_NNET3TOLINALG_ROWREGION_H

#include "TensorBuilder.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"

namespace mlir::nnet3 {
class RowEmission;

/// The operands of a component whose code is a function of one row.
struct RowTensors {
  Value input;           ///< null if not read
  Value stored;          ///< the previous output; null unless it is added to
  int64_t rows, columns; ///< of the output
  SmallVector<SmallVector<float>> vectors;
  SmallVector<SmallVector<int64_t>> indexes;
  /// For RowReads::Range: the input rows of each output row.
  SmallVector<int64_t> begins, ends;
  /// For RowReads::Shifted: the distance between rows.
  int64_t shift = 0;
};

/// Evaluates the code that `emit` creates for a row as operations on whole
/// tensors and returns the output. Fails with an error if the code has no such
/// form.
FailureOr<Value> computeRows(TensorBuilder &tensors, RowKernelInterface row,
                             const RowTensors &operands,
                             function_ref<void(RowEmission &)> emit);

/// Evaluates the scalar code that `emit` creates for all elements of `values`,
/// tensors of the same shape, and returns its results.
SmallVector<Value>
computeElements(TensorBuilder &tensors, ValueRange values,
                function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> emit);

} // namespace mlir::nnet3

#endif // NNET3_LIB_CONVERSION_NNET3TOLINALG_ROWREGION_H
