//===- MapEmitter.h - The code of kernel.map --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_MAPEMITTER_H
#define NNET3_CONVERSION_KERNELTOVECTOR_MAPEMITTER_H

#include "nnet3/Conversion/KernelToVector/Lanes.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3::kernel {

/// Creates the code of `kernel.map`, whoever goes over rows and columns.
class MapEmitter {
public:
  /// For `threads`, a single column is a scalar, and vectors are aligned.
  MapEmitter(MapOp op, ImplicitLocOpBuilder &b, bool threads)
      : op(op), b(b), threads(threads) {}

  /// Finds where the operands are. Fails with an error of the operation.
  LogicalResult initialize();

  /// Whether all inputs are such that scalable vectors can hold their columns.
  bool canScale();
  /// Computes some columns of a row, from the first one on.
  using ColumnsBody = function_ref<void(Value column, Lanes lanes)>;
  /// Creates the code of row `row`, whose columns `forEachColumns` goes over.
  void emitRow(Value row, function_ref<void(ColumnsBody)> forEachColumns);

private:
  Type getType(Lanes lanes);
  bool isRepeated(size_t input);
  void emitOutputs(size_t next, Value row);
  void emitInputs(size_t next, Value row);
  Value getInputRow(size_t input, Value row);
  Value load(size_t input, Value column, Lanes lanes);
  Value loadRepeated(size_t input, Value column, int64_t length, int64_t size);
  void emitColumns(Value column, Lanes lanes);
  void store(size_t output, Value column, Lanes lanes, Value values);

  MapOp op;
  ImplicitLocOpBuilder &b;
  bool threads;
  SmallVector<RowAddresses> inputs, outputs;
  /// Of the row that is computed: the offsets of its inputs, null for an
  /// absent one, and of its outputs.
  SmallVector<Value> from, to;
  function_ref<void(ColumnsBody)> forEachColumns;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_MAPEMITTER_H
