//===- RowEmission.h - Code that goes over a row ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_ROWEMISSION_H
#define NNET3_ARITHMETIC_ROWEMISSION_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Creates the code of a component for one row, the region of a
/// `kernel.map_rows`: operations on scalars, and loops and reductions over
/// columns, which are indexes. Targets decide who goes over the columns.
class RowEmission {
public:
  /// The inputs of `op` are `numInputs` matrices, `numVectors` vectors of
  /// per-column constants, and the component's lists of indexes.
  RowEmission(kernel::MapRowsOp op, OpBuilder &builder, unsigned numInputs,
              unsigned numVectors);

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return op->getLoc(); }

  /// Number of the part of the row that is computed.
  Value getPart() { return op.getPart(); }
  /// An element of the input.
  Value load(Value column) { return loadElement(input, column); }
  /// An element of input row `number` (RowReads::Shifted).
  Value loadFrom(int64_t number, Value column);
  /// An element of vector `number` of per-column constants.
  Value loadVector(unsigned number, Value column) {
    return loadElement(op.getInput(numInputs + number), column);
  }
  /// An entry of kernel index list `number`.
  Value loadIndex(unsigned number, Value column);
  /// An element of the output.
  Value loadOutput(Value column) {
    return loadElement(op.getOutputRow(), column);
  }
  void store(Value element, Value column);

  /// Calls `body` for columns 0, ..., `count` - 1.
  void forEach(int64_t count, function_ref<void(Value)> body);
  /// Calls `body` for columns 0, ..., `count` - 1 of each of `blocks` blocks.
  void forEachOf(int64_t blocks, int64_t count,
                 function_ref<void(Value block, Value column)> body);
  /// Adds up `body` of those columns, or finds the largest.
  Value sum(int64_t count, function_ref<Value(Value)> body) {
    return reduce(kernel::Reduction::Add, count, body);
  }
  Value max(int64_t count, function_ref<Value(Value)> body) {
    return reduce(kernel::Reduction::Max, count, body);
  }
  /// Adds up `body` of columns `begin`, ..., `end` - 1, in f64, where forEachOf
  /// goes over single columns; these are one or more, about `typical`.
  Value sumBetween(Value begin, Value end, int64_t typical,
                   function_ref<Value(Value)> body);
  /// `number` sums, each of products of the factors that `body` gives for it
  /// and a column.
  SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body);
  /// The softmax of some numbers, outside of forEach.
  SmallVector<Value> softmax(ArrayRef<Value> numbers);

  /// `number` sums over the rows that are read (RowReads::Range) of what `body`
  /// gives for each, with load(). They are f64; where it gives f32, a few rows
  /// are added up before they are.
  SmallVector<Value> sumRows(unsigned number,
                             function_ref<SmallVector<Value>()> body);
  /// The number of these rows, an f64.
  Value getNumRows();

private:
  Value loadElement(Value row, Value column);
  Value reduce(kernel::Reduction kind, int64_t count,
               function_ref<Value(Value)> body);
  /// Fills the region of an operation, whose arguments have types `types`.
  void createRegion(Region &region, TypeRange types,
                    function_ref<SmallVector<Value>(ValueRange)> body);

  kernel::MapRowsOp op;
  OpBuilder &builder;
  unsigned numInputs, numVectors;
  Value input; ///< what load() reads
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_ROWEMISSION_H
