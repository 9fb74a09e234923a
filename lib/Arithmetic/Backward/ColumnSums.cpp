//===- ColumnSums.cpp - Reductions over the rows of a matrix --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/ColumnSums.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Minimum number of rows of a slice, 16 per thread: with fewer, launching
/// another kernel for the partial sums costs more than it gains by having more
/// blocks.
static constexpr int64_t kMinSlice = 128;

/// Elements of a tile that one thread computes: they stay in the L2 cache until
/// the results of the reduction are applied to them. Tiles are read row by row,
/// so they need at least a few consecutive cache lines per row.
static constexpr int64_t kSerialNumbers = 64 * 1024;
static constexpr int64_t kLeastSerialColumns = 2 * kColumnTile;
/// Accumulators of a tile that one thread computes, which stay in the L1 cache.
static constexpr int64_t kMostSerialSums = 2048;
/// Elements between a row that one thread reads and the one that it prefetches:
/// 48 cache lines. Hardware prefetchers do not predict rows of which few lines
/// each are read.
static constexpr int64_t kPrefetchDistance = 768;

RowSlices::RowSlices(int64_t numRows, int64_t columns) {
  const int64_t tiles = llvm::divideCeil(columns, kColumnTile);
  const int64_t most =
      llvm::divideCeil(kManyBlocks, std::max<int64_t>(tiles, 1));
  count = std::clamp<int64_t>(numRows / kMinSlice, 1, most);
  rows = llvm::divideCeil(numRows, count);
  count = std::max<int64_t>(
      1, llvm::divideCeil(numRows, std::max<int64_t>(rows, 1)));
}

ColumnSums::ColumnSums(int64_t rows, int64_t columns, unsigned numSums,
                       int64_t place)
    : rows(rows), columns(columns), width(columns), numSums(numSums),
      place(place), slices(rows, columns) {}

ColumnSums &ColumnSums::foldTo(int64_t newWidth) {
  assert(columns % newWidth == 0 && "blocks of columns have the same width");
  width = newWidth;
  return *this;
}

ColumnSums &ColumnSums::useDouble() {
  isDouble = true;
  return *this;
}

ColumnSums &ColumnSums::keepParts() {
  partsKept = true;
  return *this;
}

SmallVector<KernelStage> ColumnSums::getStages() const {
  const int64_t tiles = llvm::divideCeil(columns, kColumnTile);
  SmallVector<KernelStage> stages = {
      {tiles * slices.count, kTileThreads, /*serialItems=*/0}};
  if (hasParts())
    stages.push_back(
        {int64_t(llvm::divideCeil(width, kColumnTile)), kTileThreads});
  stages.back().serialItems = getNumSerialTiles();
  return stages;
}

int64_t ColumnSums::getSerialTile() const {
  const int64_t viewRows = rows * (columns / width);
  int64_t tile = std::max(kSerialNumbers / std::max<int64_t>(viewRows, 1),
                          kLeastSerialColumns);
  tile = std::min({tile, kMostSerialSums / numSums, width});
  return llvm::alignTo(tile, kColumnTile);
}

int64_t ColumnSums::getNumSerialTiles() const {
  return llvm::divideCeil(width, getSerialTile());
}

int64_t ColumnSums::getScratchSize() const {
  return hasParts() ? numSums * slices.count * columns * (isDouble ? 2 : 1) : 0;
}

int64_t ColumnSums::getMaxScratchSize(int64_t elements, int64_t columns,
                                      unsigned numSums) {
  const int64_t tiles = llvm::divideCeil(columns, kColumnTile);
  return numSums * std::min(elements, (kManyBlocks + tiles) * kColumnTile);
}

void ColumnSums::emit(StageEmission &stage, unsigned number, Value item,
                      Terms terms, Finish finish, Value condition) const {
  if (stage.isForOneThread())
    emitSerial(stage, item, terms, finish, condition);
  else if (number == 0)
    addParts(stage, item, terms, finish, condition);
  else
    emitTotals(stage, item, finish);
}

/// Returns the offset of a partial sum: element (`row`, `column`) of the matrix
/// of accumulator `sum`; the matrices follow each other.
Value ColumnSums::getPart(StageEmission &stage, Value row, int64_t rowLength,
                          Value column, int64_t sum) const {
  Value number = stage.shift(stage.at(row, rowLength, column),
                             sum * slices.count * columns);
  if (isDouble)
    number = stage.at(number, 2, stage.index(0));
  return stage.shift(number, place);
}

/// Returns the end of a range of rows that is empty unless `condition`, if
/// there is one.
static Value endIf(StageEmission &stage, Value condition, Value first,
                   Value last) {
  return condition ? stage.select(condition, last, first) : last;
}

/// Reduces a slice of the rows; stores one row of partial sums per slice.
void ColumnSums::addParts(StageEmission &stage, Value item, Terms terms,
                          Finish finish, Value condition) const {
  const int64_t tiles = llvm::divideCeil(columns, kColumnTile);
  ColumnTile tile = {stage.index(0), stage.index(rows), item, columns};
  Value slice = stage.index(0);
  if (slices.count > 1) {
    slice = stage.quotient(item, tiles);
    tile.number = stage.remainder(item, tiles);
    tile.firstRow = stage.scale(slice, slices.rows);
    tile.lastRow = stage.smaller(stage.shift(tile.firstRow, slices.rows),
                                 stage.index(rows));
  }
  tile.lastRow = endIf(stage, condition, tile.firstRow, tile.lastRow);
  if (!hasParts())
    return addUp(stage, tile, terms, finish);
  addUp(stage, tile, terms, [&](Value column, ValueRange sums) {
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value to = getPart(stage, slice, columns, column, i);
      if (isDouble)
        stage.storeScratchDouble(sum, to);
      else
        stage.storeScratch(sum, to);
    }
  });
}

/// Reduces the matrix of partial sums over slices and blocks.
void ColumnSums::emitTotals(StageEmission &stage, Value tile,
                            Finish finish) const {
  addUp(
      stage, {stage.index(0), stage.index(getNumParts()), tile, width},
      [&](Value row, Value column) {
        SmallVector<Value> terms;
        for (int64_t i = 0; i < numSums; ++i) {
          Value from = getPart(stage, row, width, column, i);
          terms.push_back(isDouble ? stage.loadScratchDouble(from)
                                   : stage.loadScratch(from));
        }
        return terms;
      },
      finish);
}

void ColumnSums::addUp(StageEmission &stage, const ColumnTile &tile,
                       Terms terms, Finish finish) const {
  auto ofRow = [&](Value row, Value column) {
    stage.setRow(row);
    return terms(row, column);
  };
  emitTileSums(stage, tile, numSums, isDouble, ofRow, finish);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Sums rows `begin`, `begin` + kRowGroups, ... below `end`.
static SmallVector<Value>
addRows(ScalarArithmetic &a, Value begin, Value end, ValueRange zeros,
        function_ref<SmallVector<Value>(Value)> terms) {
  auto loop = scf::ForOp::create(
      a.getBuilder(), a.getLoc(), begin, end, a.index(kRowGroups), zeros,
      [&](OpBuilder &builder, Location loc, Value row, ValueRange before) {
        SmallVector<Value> sums;
        for (auto [sum, term] : llvm::zip_equal(before, terms(row)))
          sums.push_back(a.add(sum, term));
        scf::YieldOp::create(builder, loc, sums);
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// Reduces a tile in one thread, row by row.
static void emitTileSumsByRows(ScalarArithmetic &a, const ColumnTile &tile,
                               ValueRange zeros, SumTerms terms,
                               FinishSums finish) {
  OpBuilder &builder = a.getBuilder();
  Location loc = a.getLoc();
  const int64_t numSums = zeros.size();
  Value sums = memref::AllocaOp::create(
      builder, loc,
      MemRefType::get({numSums * tile.width}, zeros[0].getType()));
  Value firstColumn = a.scale(tile.number, tile.width);
  Value end = a.index(tile.width);
  if (tile.columns % tile.width)
    end = a.smaller(end, a.minus(a.index(tile.columns), firstColumn));
  auto getPlace = [&](Value lane, int64_t i) {
    return a.shift(lane, i * tile.width);
  };
  a.forEachBelow(end, [&](Value lane) {
    for (int64_t i = 0; i < numSums; ++i)
      memref::StoreOp::create(builder, loc, zeros[i], sums, getPlace(lane, i));
  });
  a.loop(tile.firstRow, tile.lastRow, {}, [&](Value row, ValueRange) {
    a.forEachBelow(end, [&](Value lane) {
      for (auto [i, term] :
           llvm::enumerate(terms(row, a.shift(firstColumn, lane)))) {
        Value place = getPlace(lane, i);
        Value sum = memref::LoadOp::create(builder, loc, sums, place);
        memref::StoreOp::create(builder, loc, a.add(sum, term), sums, place);
      }
    });
    return SmallVector<Value>();
  });
  a.forEachBelow(end, [&](Value lane) {
    SmallVector<Value> ofColumn;
    for (int64_t i = 0; i < numSums; ++i)
      ofColumn.push_back(
          memref::LoadOp::create(builder, loc, sums, getPlace(lane, i)));
    finish(a.shift(firstColumn, lane), ofColumn);
  });
}

void mlir::nnet3::emitTileSums(ScalarArithmetic &a, const ColumnTile &tile,
                               unsigned numSums, bool isDouble, SumTerms terms,
                               FinishSums finish) {
  OpBuilder &builder = a.getBuilder();
  Location loc = a.getLoc();
  const SmallVector<Value> zeros(numSums, isDouble ? a.real(0) : a.number(0));
  auto type = MemRefType::get({numSums * kTileThreads}, zeros[0].getType());
  Value groups = memref::AllocaOp::create(builder, loc, type);
  Value firstColumn = a.scale(tile.number, kColumnTile);
  const bool hasBorder = tile.columns % kColumnTile;
  a.forEachBelow(a.index(kTileThreads), [&](Value thread) {
    Value column = a.shift(firstColumn, a.remainder(thread, kColumnTile));
    // Threads without a column read the last column, too.
    if (hasBorder)
      column = a.smaller(column, a.index(tile.columns - 1));
    Value row = a.shift(tile.firstRow, a.quotient(thread, kColumnTile));
    auto sums = addRows(a, row, tile.lastRow, zeros,
                        [&](Value row) { return terms(row, column); });
    for (auto [i, sum] : llvm::enumerate(sums))
      memref::StoreOp::create(builder, loc, sum, groups,
                              a.shift(thread, i * kTileThreads));
  });
  Value end = a.index(kColumnTile);
  if (hasBorder)
    end = a.smaller(end, a.minus(a.index(tile.columns), firstColumn));
  a.forEachBelow(end, [&](Value lane) {
    SmallVector<Value> sums(numSums);
    for (int64_t i = 0; i < numSums * kRowGroups; ++i) {
      Value sum = memref::LoadOp::create(builder, loc, groups,
                                         a.shift(lane, i * kColumnTile));
      Value &before = sums[i / kRowGroups];
      before = before ? a.add(before, sum) : sum;
    }
    finish(a.shift(firstColumn, lane), sums);
  });
}

/// Prefetches a row of the block view, before row `end`, while row `row` is
/// read; nothing in tiles of so many columns that hardware does it.
void ColumnSums::prefetchRow(StageEmission &stage, Value row, Value column,
                             Value end, Prefetch prefetch) const {
  const int64_t blocks = columns / width,
                distance = kPrefetchDistance / getSerialTile();
  if (!prefetch || distance < 2)
    return;
  Value next = stage.smaller(stage.shift(row, distance),
                             stage.minus(end, stage.index(1)));
  if (blocks > 1) {
    column = stage.at(stage.remainder(next, blocks), width, column);
    next = stage.quotient(next, blocks);
  }
  stage.setRow(next);
  prefetch(column);
}

void ColumnSums::emitSerial(StageEmission &stage, Value tile, Terms terms,
                            Finish finish, Value condition,
                            Prefetch prefetch) const {
  const int64_t blocks = columns / width;
  Value first = stage.index(0), last = stage.index(rows * blocks);
  const SmallVector<Value> zeros(numSums,
                                 isDouble ? stage.real(0) : stage.number(0));
  emitTileSumsByRows(
      stage,
      {first, endIf(stage, condition, first, last), tile, width,
       getSerialTile()},
      zeros,
      [&](Value row, Value column) {
        prefetchRow(stage, row, column, stage.index(rows * blocks), prefetch);
        if (blocks > 1) {
          column = stage.at(stage.remainder(row, blocks), width, column);
          row = stage.quotient(row, blocks);
        }
        stage.setRow(row);
        return terms(row, column);
      },
      finish);
}
