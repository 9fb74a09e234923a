//===- ColumnSums.h - Sums over the rows of a matrix ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of threads adds up a tile of 32 neighbouring columns, of a stretch of
// the rows: neighbouring threads read neighbouring columns, eight groups of
// threads every eighth row. They leave their sums in the block's own memory,
// from where one group adds them up. Where there are many rows, so many
// stretches of them are added up apart that all of a device has work; a second
// stage adds up these sums, in the same way. The order is always the same, and
// so are the results.
//
// One thread adds up all rows of a tile, row by row, in a single stage. A tile
// has as many columns as stay in its cache.
//
// A component that takes stages (StagedInterface.h)
//   - has getStages() among its stages, for each of the sums that it needs one
//     after the other,
//   - has getScratchSize() floats at `place` of its scratch memory,
//   - and calls emit() for the items of these stages. `terms` creates what a
//     row has for a column, for as many sums as there are, and may load of that
//     row; `finish` gets the sums of a column and stores what becomes of them,
//     by one thread for each column.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_COLUMNSUMS_H
#define NNET3_ARITHMETIC_COLUMNSUMS_H

#include "nnet3/Arithmetic/StageEmission.h"

namespace mlir::nnet3 {

/// Columns of a tile: the threads that a device lets read at once.
inline constexpr int64_t kColumnTile = 32;
/// Groups of threads that share the rows.
inline constexpr int64_t kRowGroups = 8;
inline constexpr int64_t kTileThreads = kColumnTile * kRowGroups;
/// Blocks of threads that leave nothing of a large device without work.
inline constexpr int64_t kManyBlocks = 1024;

/// How many slices of the rows are added up apart, and how many rows each has
/// but for the last one.
struct RowSlices {
  RowSlices(int64_t rows, int64_t columns);
  int64_t count, rows;
};

/// A tile of columns, below `columns`, of some rows.
struct ColumnTile {
  Value firstRow, lastRow, number;
  int64_t columns;
  int64_t width = kColumnTile;
};

/// Gets the terms that a row adds to the sums of a column, one for each sum.
using SumTerms = function_ref<SmallVector<Value>(Value row, Value column)>;
/// Gets the sums of a column, by one thread for each column.
using FinishSums = function_ref<void(Value column, ValueRange sums)>;

/// Adds up the rows of a tile, by a block of threads; in double precision if
/// the terms are.
void emitTileSums(ScalarArithmetic &a, const ColumnTile &tile, unsigned numSums,
                  bool isDouble, SumTerms terms, FinishSums finish);

class ColumnSums {
public:
  using Terms = SumTerms;
  using Finish = FinishSums;

  /// `numSums` sums at once for each of `columns` columns, over `rows` rows.
  ColumnSums(int64_t rows, int64_t columns, unsigned numSums = 1,
             int64_t place = 0);

  /// Adds up columns c, c + `width`, ..., too: those of the blocks that have
  /// the same parameters. What is finished are columns below `width`, which
  /// divides the number of columns.
  ColumnSums &foldTo(int64_t width);
  /// Adds up in double precision: so are terms and sums.
  ColumnSums &useDouble();
  /// Leaves all sums of stretches and blocks to the second stage, even where
  /// there is only one for a column.
  ColumnSums &keepParts();

  /// One or two. One thread has items of the last one alone.
  SmallVector<KernelStage> getStages() const;
  unsigned getNumStages() const { return hasParts() ? 2 : 1; }
  /// Sums of stretches and blocks that the second stage adds up for a column.
  int64_t getNumParts() const { return slices.count * (columns / width); }
  /// Floats in the scratch memory.
  int64_t getScratchSize() const;
  /// What that is at most, for `elements` of rows of at most `columns` columns.
  static int64_t getMaxScratchSize(int64_t elements, int64_t columns,
                                   unsigned numSums = 1);

  /// Creates the code of an item of stage `number`, below getNumStages().
  void emit(StageEmission &stage, unsigned number, Value item, Terms terms,
            Finish finish) const;
  /// The second stage for the columns of `tile`.
  void emitTotals(StageEmission &stage, Value tile, Finish finish) const;

  /// Columns of a tile of one thread, and how many tiles it has.
  int64_t getSerialTile() const;
  int64_t getNumSerialTiles() const;
  /// The sums of the columns of `tile`, by one thread.
  void emitSerial(StageEmission &stage, Value tile, Terms terms,
                  Finish finish) const;

private:
  /// Whether the first stage does not finish.
  bool hasParts() const { return partsKept || getNumParts() > 1; }
  Value getPart(StageEmission &stage, Value row, int64_t columns, Value column,
                int64_t sum) const;
  void addParts(StageEmission &stage, Value item, Terms terms,
                Finish finish) const;
  /// With the row of the emission set.
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
