//===- RowEmitter.h - Code of work on rows ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ROWEMITTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ROWEMITTER_H

#include "RowKernel.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

namespace mlir::nnet3 {

/// Emits the code of a device's kernel into the body of a launch, whose
/// arguments from `next` on are its places.
class RowEmitter {
public:
  RowEmitter(const RowKernel &kernel, kernel::LaunchOp launch,
             OpBuilder &builder, unsigned next);

  /// All rows.
  void emit();
  /// `width` columns of a row of a kernel without tables: what the thread has
  /// in registers of its inputs need not be loaded (null: it has not). Gives
  /// what it stores, of each block of the output.
  SmallVector<Value> emitColumn(Value row, Value column,
                                ArrayRef<Value> values);

private:
  void emitRow(Value row);
  void emitColumns(Value from, Value to);
  SmallVector<Value> emitColumns(Value column, int64_t length, Value from,
                                 Value to);
  /// The new values of some columns; without a source those of a fill, zeros
  /// where the row to copy is missing.
  Value compute(Value column, int64_t length, Value from, Value to);
  /// The input with that number, at `place`.
  Value load(unsigned number, int64_t length, Value place);
  SmallVector<Value> loadVectors(Value column, int64_t length);
  SmallVector<Value> emitBlocks(Value column, int64_t length, Value from,
                                Value to);
  Value getTableEntry(Value table, Value row);
  void ifRow(Value place, function_ref<void()> there,
             function_ref<void()> notThere);

  const RowKernel &kernel;
  ElementwiseKernelInterface component;
  BlockKernelInterface blocks;
  VectorEmitter e;
  Value arena, weights, tables, dest, source;
  SmallVector<Value> vectorPlaces;
  Stretch stretch;          ///< of columns
  SmallVector<Value> known; ///< inputs that need not be loaded
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ROWEMITTER_H
