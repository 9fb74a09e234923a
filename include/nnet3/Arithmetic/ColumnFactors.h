//===- ColumnFactors.h - Rows transformed by column sums --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes sums over the rows of a matrix for each column (ColumnSums.h), then
// a few numbers of each column from its sums, the factors, and then each
// element of the result with the factors of its column. Batch norm is an
// example. Rows and columns are those of the block view: a row of several
// blocks of columns counts as several consecutive rows.
//
// The first grid-wide phase stores partial sums of slices of rows. If there are
// few slices, the second phase is the last one: each block of threads adds up
// the partial sums of its columns before it computes some rows. This reads less
// than the rows themselves, and saves one launch. Otherwise, a phase in between
// stores the factors. On a CPU, one thread does all work for a tile of columns
// before the next tile. If processes share the rows, a phase in between stores
// the sums of this process and its number of rows, which are then summed over
// processes.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_COLUMNFACTORS_H
#define NNET3_ARITHMETIC_COLUMNFACTORS_H

#include "nnet3/Arithmetic/ColumnSums.h"

namespace mlir::nnet3 {

class ColumnFactors {
public:
  /// Callbacks that emit the code of a component.
  struct Code {
    /// Returns the terms of a row and a column of the matrix, one for each sum.
    ColumnSums::Terms terms;
    /// Returns the factors of a column from its sums and one over the number of
    /// rows, which has the type of the sums.
    function_ref<SmallVector<Value>(ValueRange sums, Value inverseCount,
                                    Value column)>
        factors;
    /// Stores factors that the component keeps, if any; one thread runs the
    /// code for each column. May be null.
    function_ref<void(Value column, ValueRange factors)> keep;
    /// Computes and stores the element in `column` of the matrix, in the row
    /// that is set (StageEmission::setRow).
    function_ref<void(Value column, ValueRange factors)> apply;
    /// Prefetches what `terms` loads for a column of the row that is set.
    ColumnSums::Prefetch prefetch;
  };

  /// For a `rows` x `columns` matrix with blocks of `width` columns.
  /// With `isShared`, sums over the rows of all processes.
  ColumnFactors(int64_t rows, int64_t columns, int64_t width, unsigned numSums,
                unsigned numFactors, bool isDouble, bool isShared);

  /// The two, three or four grid-wide phases.
  SmallVector<KernelStage> getStages() const;
  /// Size of the scratch buffer in floats.
  int64_t getScratchSize() const;
  /// Emits the code for one item of phase `number`.
  void emit(StageEmission &stage, unsigned number, Value item,
            const Code &code) const;

private:
  /// Numbers that are summed over processes: sums and a count.
  int64_t getNumReduced() const { return numSums * width + 1; }
  Value getTileEnd(StageEmission &stage, Value firstColumn,
                   int64_t columnsOfTile) const;
  Value getInverseCount(StageEmission &stage) const;
  void storeShared(StageEmission &stage, Value tile, const Code &code) const;
  void loadShared(StageEmission &stage, Value end, Value firstColumn,
                  FinishSums finish) const;
  /// Whether the last phase also adds up the partial sums.
  bool addsUp() const;
  /// Rows of the block view.
  int64_t getViewRows() const { return rows * (columns / width); }
  int64_t getNumTiles() const;
  /// Number of rows of the block view for each block of threads of the last
  /// phase.
  int64_t getSliceRows() const;
  void emitTotals(StageEmission &stage, Value tile, const Code &code) const;
  Value emitTileFactors(StageEmission &stage, Value tile, Value firstColumn,
                        int64_t columnsOfTile, Value keeps,
                        const Code &code) const;
  void emitRows(StageEmission &stage, Value item, const Code &code) const;
  void emitSerial(StageEmission &stage, Value tile, const Code &code) const;
  void emitColumn(StageEmission &stage, Value begin, Value end, Value column,
                  ValueRange factors, const Code &code) const;
  /// Emits the code for one element of the block view.
  void emitElement(StageEmission &stage, Value row, Value column,
                   ValueRange factors, const Code &code) const;

  int64_t rows, columns, width;
  unsigned numSums, numFactors;
  bool isDouble, isShared;
  ColumnSums sums;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_COLUMNFACTORS_H
