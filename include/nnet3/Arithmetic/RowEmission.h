//===- RowEmission.h - Emission of code for one row -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_ROWEMISSION_H
#define NNET3_ARITHMETIC_ROWEMISSION_H

#include "nnet3/Arithmetic/RowOperands.h"
#include "nnet3/Arithmetic/ScalarArithmetic.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3 {

/// Emits the code of a component for one row, in the region of a
/// `kernel.map_rows` or a `kernel.reduce_rows`: operations on scalars, and
/// loops and reductions over columns, which are indexes. Each target decides
/// how it maps columns to vector lanes or threads.
class RowEmission : public ScalarArithmetic {
public:
  /// `operands` are the arguments of the region.
  RowEmission(OpBuilder &builder, Location loc, RowOperands operands)
      : ScalarArithmetic(builder, loc), operands(std::move(operands)) {}

  /// Creates the `kernel.map_rows` whose region `body` emits.
  static void mapRows(OpBuilder &builder, Location loc,
                      const RowOperands &operands, int64_t parts,
                      function_ref<void(RowEmission &)> body);

  /// Creates the `kernel.reduce_rows` whose region `body` emits: the terms of a
  /// row for each output in a column.
  static void
  reduceRows(OpBuilder &builder, Location loc, const RowOperands &operands,
             ValueRange outputs, Value scratch, int64_t blocks, bool adds,
             function_ref<SmallVector<Value>(RowEmission &, Value)> body);

  /// Number of the part of the row that is computed.
  Value getPart() { return operands.part; }
  /// Loads an element of the input.
  Value load(Value column) { return loadElement(operands.input, column); }
  /// Load elements of the output, its derivative and the factors; in backward
  /// passes only.
  Value loadOutput(Value column) {
    return loadElement(operands.output, column);
  }
  Value loadDerivative(Value column) {
    return loadElement(operands.derivative, column);
  }
  Value loadFactor(Value column) {
    return loadElement(operands.factors, column);
  }
  /// Whether self-repair is active, and an element of its values.
  bool hasRepairs() const { return bool(operands.repairs); }
  Value loadRepair(Value place) { return loadElement(operands.repairs, place); }
  /// Loads an element of input row `number` (RowReads::Shifted).
  Value loadFrom(int64_t number, Value column);
  /// Loads an element of vector `number` of per-column constants.
  Value loadVector(unsigned number, Value column) {
    return loadElement(operands.vectors[number], column);
  }
  /// Loads the number of the row (BackwardKernelInterface::getRowNumbers).
  Value loadRowNumber();
  /// Loads an entry of index list `number`.
  Value loadIndex(unsigned number, Value column);
  /// Loads an element of the destination row.
  Value loadStored(Value column) {
    return loadElement(operands.stored, column);
  }
  void store(Value element, Value column);

  /// Emits a loop with `body` over columns 0, ..., `count` - 1.
  void forEach(int64_t count, function_ref<void(Value)> body);
  /// Emits a loop with `body` over columns 0, ..., `count` - 1 of each of
  /// `blocks` blocks.
  void forEachOf(int64_t blocks, int64_t count,
                 function_ref<void(Value block, Value column)> body);
  /// The sum or the maximum of `body` over columns 0, ..., `count` - 1.
  Value sum(int64_t count, function_ref<Value(Value)> body) {
    return reduce(kernel::Reduction::Add, count, body);
  }
  using ScalarArithmetic::max;
  Value max(int64_t count, function_ref<Value(Value)> body) {
    return reduce(kernel::Reduction::Max, count, body);
  }
  /// The sum of `body` over columns `begin`, ..., `end` - 1, computed in f64,
  /// inside of a forEachOf() with `count` 1. The range has at least one column,
  /// typically `typical`.
  Value sumBetween(Value begin, Value end, int64_t typical,
                   function_ref<Value(Value)> body);
  /// `number` dot products over `count` columns. `body` returns the two factors
  /// for the number of a dot product and a column.
  SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body);
  /// The softmax of `numbers`; not inside of forEach().
  SmallVector<Value> softmax(ArrayRef<Value> numbers);

  /// `number` sums over a range of rows (RowReads::Range). `body` loads an
  /// element with load() and returns a term for each sum. The sums are f64.
  /// Terms of f32 are added in f32 for a few rows at a time. `rows` is the
  /// operand that has the range.
  SmallVector<Value> sumRows(unsigned number,
                             function_ref<SmallVector<Value>()> body,
                             Value RowOperands::*rows = &RowOperands::input);
  /// The number of rows in the range, an f64.
  Value getNumRows();

private:
  Value loadElement(Value row, Value column);
  Value loadEntry(Value list, Value place);
  Value reduce(kernel::Reduction kind, int64_t count,
               function_ref<Value(Value)> body);
  /// Fills the region of an operation, whose arguments have types `types`.
  void createRegion(Region &region, TypeRange types,
                    function_ref<SmallVector<Value>(ValueRange)> body);

  RowOperands operands;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_ROWEMISSION_H
