//===- ColumnSums.h - Sums over the rows of a matrix ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of threads reduces a slice of rows in a tile of 32 consecutive
// columns: consecutive threads read consecutive columns, and each of eight
// groups of threads reads every eighth row. The groups store their sums to
// shared memory, from which one group adds them up. If there are many rows,
// they are divided into slices so that all of a device has work; a second
// grid-wide phase adds up the partial sums of the slices in the same way. The
// order of additions is fixed, so results are deterministic.
//
// On a CPU, one thread adds up all rows of a tile, row by row, in a single
// phase. A tile then has as many columns as fit in the cache.
//
// A component with grid-wide phases (StagedInterface.h)
//   - includes getStages() in its phases, once for each ColumnSums,
//   - reserves getScratchSize() floats at offset `place` of its scratch buffer,
//   - and calls emit() for the items of these phases. `terms` returns the terms
//     of a row and a column, one for each sum, and may load from that row.
//     `finish` gets the sums of a column and stores its results; one thread
//     runs it for each column.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_COLUMNSUMS_H
#define NNET3_ARITHMETIC_COLUMNSUMS_H

#include "nnet3/Arithmetic/StageEmission.h"

namespace mlir::nnet3 {

/// Columns of a tile: the threads of a warp, whose loads a device coalesces.
inline constexpr int64_t kColumnTile = 32;
/// Groups of threads that share the rows.
inline constexpr int64_t kRowGroups = 8;
inline constexpr int64_t kTileThreads = kColumnTile * kRowGroups;
/// Number of blocks of threads that occupies a large device.
inline constexpr int64_t kManyBlocks = 1024;

/// Number of slices of rows with partial sums, and number of rows of each; the
/// last one may have fewer.
struct RowSlices {
  RowSlices(int64_t rows, int64_t columns);
  int64_t count, rows;
};

/// Rows `firstRow` to `lastRow` - 1 of tile `number` of `columns` columns.
struct ColumnTile {
  Value firstRow, lastRow, number;
  int64_t columns;
  int64_t width = kColumnTile;
};

/// Returns the terms of a row for the sums of a column, one for each sum.
using SumTerms = function_ref<SmallVector<Value>(Value row, Value column)>;
/// Receives the sums of a column; one thread runs the code for each column.
using FinishSums = function_ref<void(Value column, ValueRange sums)>;

/// Emits the code with which a block of threads adds up the rows of a tile.
/// With `isDouble`, terms and sums are f64.
void emitTileSums(ScalarArithmetic &a, const ColumnTile &tile, unsigned numSums,
                  bool isDouble, SumTerms terms, FinishSums finish);

class ColumnSums {
public:
  using Terms = SumTerms;
  using Finish = FinishSums;
  /// Prefetches what `terms` loads for a column of the row that is set.
  using Prefetch = function_ref<void(Value column)>;

  /// Computes `numSums` sums over `rows` rows for each of `columns` columns.
  /// The partial sums are at `place` of the scratch buffer.
  ColumnSums(int64_t rows, int64_t columns, unsigned numSums = 1,
             int64_t place = 0);

  /// Adds the columns c, c + `width`, ... to one sum, as for blocks of columns
  /// that share parameters. `finish` is then called for columns below `width`,
  /// which must divide the number of columns.
  ColumnSums &foldTo(int64_t width);
  /// Makes terms and sums f64.
  ColumnSums &useDouble();
  /// Always stores partial sums for the second phase, even if a column has only
  /// one.
  ColumnSums &keepParts();

  /// The one or two grid-wide phases. On a CPU, only the last one has items.
  SmallVector<KernelStage> getStages() const;
  unsigned getNumStages() const { return hasParts() ? 2 : 1; }
  /// Number of partial sums of a column, one for each slice and block.
  int64_t getNumParts() const { return slices.count * (columns / width); }
  /// Size of the scratch buffer in floats.
  int64_t getScratchSize() const;
  /// Upper bound of getScratchSize() for all matrices with at most `columns`
  /// columns and `elements` elements.
  static int64_t getMaxScratchSize(int64_t elements, int64_t columns,
                                   unsigned numSums = 1);

  /// Emits the code for one item of phase `number`, below getNumStages(). If
  /// `condition`, an i1, is false, no row is read and the sums are zero.
  void emit(StageEmission &stage, unsigned number, Value item, Terms terms,
            Finish finish, Value condition = nullptr) const;
  /// Emits the second phase for the columns of `tile`.
  void emitTotals(StageEmission &stage, Value tile, Finish finish) const;

  /// Columns of a tile for one thread, and the number of such tiles.
  int64_t getSerialTile() const;
  int64_t getNumSerialTiles() const;
  /// Emits the code with which one thread computes the sums of `tile`. Calls
  /// `prefetch`, which may be null, for rows that follow soon.
  void emitSerial(StageEmission &stage, Value tile, Terms terms, Finish finish,
                  Value condition = nullptr, Prefetch prefetch = nullptr) const;

private:
  /// Whether there is a second phase, which adds up partial sums.
  bool hasParts() const { return partsKept || getNumParts() > 1; }
  Value getPart(StageEmission &stage, Value row, int64_t columns, Value column,
                int64_t sum) const;
  void prefetchRow(StageEmission &stage, Value row, Value column, Value end,
                   Prefetch prefetch) const;
  void addParts(StageEmission &stage, Value item, Terms terms, Finish finish,
                Value condition) const;
  /// Emits the sums of a tile; calls `terms` with the row of `stage` set.
  void addUp(StageEmission &stage, const ColumnTile &tile, Terms terms,
             Finish finish) const;

  int64_t rows, columns, width;
  unsigned numSums;
  int64_t place;
  bool isDouble = false, partsKept = false;
  RowSlices slices;
};

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_COLUMNSUMS_H
