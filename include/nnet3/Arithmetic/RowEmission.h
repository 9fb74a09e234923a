//===- RowEmission.h - Code that goes over a row ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_ROWEMISSION_H
#define NNET3_ARITHMETIC_ROWEMISSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Creates the code of a component for one row, in parts that each go over
/// columns in any order, by one thread, by the lanes of vectors or by many
/// threads. Columns are indexes. Elements are f32; inside of forEach those of
/// as many neighbouring columns as there are lanes, as a vector.
class RowEmission {
public:
  RowEmission(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}
  virtual ~RowEmission() = default;

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }

  /// Number of the part of the row that is computed.
  virtual Value getPart() = 0;
  /// Elements of the input; that of each further lane is `stride` columns
  /// behind the one before.
  virtual Value load(Value column, int64_t stride = 1) = 0;
  /// Elements of row `number` of those that are read (RowReads::Shifted).
  virtual Value loadFrom(int64_t number, Value column) = 0;
  /// Elements of kernel vector `number`.
  virtual Value loadVector(unsigned number, Value column) = 0;
  /// An entry of kernel index list `number`.
  virtual Value loadIndex(unsigned number, Value column) = 0;
  /// Elements of the output.
  virtual Value loadOutput(Value column) = 0;
  virtual void store(Value elements, Value column) = 0;

  /// Calls `body` for columns 0, ..., `count` - 1. It keeps `numSums` results
  /// of sumRows.
  virtual void forEach(int64_t count, function_ref<void(Value)> body,
                       unsigned numSums = 0) = 0;
  /// Calls `body` for columns 0, ..., `count` - 1 of each of `blocks` blocks;
  /// lanes are columns of one block.
  virtual void
  forEachOf(int64_t blocks, int64_t count,
            function_ref<void(Value block, Value column)> body) = 0;
  /// Adds up `body` of those columns, or finds the largest.
  virtual Value sum(int64_t count, function_ref<Value(Value)> body) = 0;
  virtual Value max(int64_t count, function_ref<Value(Value)> body) = 0;
  /// Adds up `body` of columns `begin`, ..., `end` - 1, in f64, where forEachOf
  /// goes over single columns; these are one or more, about `typical`.
  virtual Value sumBetween(Value begin, Value end, int64_t typical,
                           function_ref<Value(Value)> body) = 0;
  /// `number` sums, each of products of the factors that `body` gives for it
  /// and a column.
  virtual SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body) = 0;
  /// The softmax of some numbers, outside of forEach.
  virtual SmallVector<Value> softmax(ArrayRef<Value> numbers) = 0;

  /// `number` sums over the rows that are read (RowReads::Range) of what `body`
  /// gives for each, with load(). They are f64; where it gives f32, a few rows
  /// are added up before they are.
  virtual SmallVector<Value>
  sumRows(unsigned number, function_ref<SmallVector<Value>()> body) = 0;
  /// The number of these rows, an f64.
  virtual Value getNumRows() = 0;

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_ROWEMISSION_H
