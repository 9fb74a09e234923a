//===- MapEmitter.h - The code of kernel.map --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_MAPEMITTER_H
#define NNET3_CONVERSION_KERNELTOVECTOR_MAPEMITTER_H

#include "nnet3/Conversion/KernelToVector/Lanes.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3::kernel {

/// Emits the code of `kernel.map` for any loops over rows and columns.
class MapEmitter {
public:
  /// With `threads`, for a device, a single column is a scalar, and vectors are
  /// aligned.
  MapEmitter(MapOp op, ImplicitLocOpBuilder &b, bool threads)
      : op(op), b(b), threads(threads) {}

  /// Finds the memory and offsets of the operands. Emits an error at the
  /// operation if an operand is not a supported view.
  LogicalResult initialize();

  /// Whether scalable vectors can hold the columns of all inputs.
  bool canScale();
  /// Computes `lanes` of a row from `column` on.
  using ColumnsBody = function_ref<void(Value column, Lanes lanes)>;
  /// Emits the code of row `row`; `forEachColumns` emits the loop over columns.
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
  /// The offsets of the current row in the inputs, null for an absent row, and
  /// in the outputs.
  SmallVector<Value> from, to;
  function_ref<void(ColumnsBody)> forEachColumns;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_MAPEMITTER_H
