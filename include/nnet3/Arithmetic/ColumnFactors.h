//===- ColumnFactors.h - What sums over rows do to the rows -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a matrix, the sums over the rows of each column (ColumnSums.h), numbers
// that are computed from them, the factors, and then each element with the
// factors of its column, such as batch norm. Columns are those of the block
// view, in which blocks of columns are rows behind each other.
//
// The first stage leaves sums of stretches of rows. Where there are few of
// them, a block of threads of the second and last stage adds up those of its
// columns before it computes some rows: that is less to read than the rows, and
// one launch less. Else a stage between them leaves the factors. One thread
// does all for a tile of columns before the next one.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_COLUMNFACTORS_H
#define NNET3_ARITHMETIC_COLUMNFACTORS_H

#include "nnet3/Arithmetic/ColumnSums.h"

namespace mlir::nnet3 {

class ColumnFactors {
public:
  /// What a component computes.
  struct Code {
    /// What a row has for a column of the matrix, for each of the sums.
    ColumnSums::Terms terms;
    /// The factors of a column.
    function_ref<SmallVector<Value>(Value column, ValueRange sums)> factors;
    /// Called with what may be stored of a column, by one thread; may be null.
    function_ref<void(Value column, ValueRange factors)> keep;
    /// Stores an element: its column of the matrix. The row is set.
    function_ref<void(Value column, ValueRange factors)> apply;
  };

  /// Of a matrix of blocks of `width` columns.
  ColumnFactors(int64_t rows, int64_t columns, int64_t width, unsigned numSums,
                unsigned numFactors, bool isDouble = false);

  /// Two or three.
  SmallVector<KernelStage> getStages() const;
  /// Floats in the scratch memory.
  int64_t getScratchSize() const;
  /// Creates the code of an item of stage `number`.
  void emit(StageEmission &stage, unsigned number, Value item,
            const Code &code) const;

private:
  /// Whether the last stage adds up, too.
  bool addsUp() const;
  /// Rows of the block view.
  int64_t getViewRows() const { return rows * (columns / width); }
  int64_t getNumTiles() const;
  /// Those that a block of threads of the last stage computes.
  int64_t getStretchRows() const;
  void emitTotals(StageEmission &stage, Value tile, const Code &code) const;
  void emitRows(StageEmission &stage, Value item, const Code &code) const;
  void emitSerial(StageEmission &stage, Value tile, const Code &code) const;
  void emitColumn(StageEmission &stage, Value begin, Value end, Value column,
                  ValueRange factors, const Code &code) const;
  /// A row of the block view.
  void emitElement(StageEmission &stage, Value row, Value column,
                   ValueRange factors, const Code &code) const;

  int64_t rows, columns, width;
  unsigned numFactors;
  ColumnSums sums;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_COLUMNFACTORS_H
