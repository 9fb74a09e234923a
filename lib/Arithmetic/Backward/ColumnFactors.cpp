//===- ColumnFactors.cpp - Apply reductions over rows to the rows ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/ColumnFactors.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Maximum number of partial sums that a block of threads reduces itself before
/// it computes its rows.
static constexpr int64_t kMostParts = 64;
/// Minimum number of rows per partial sum: a row costs a read and a write per
/// element, a partial sum one read per accumulator.
static constexpr int64_t kRowsPerPart = 4;

ColumnFactors::ColumnFactors(int64_t rows, int64_t columns, int64_t width,
                             unsigned numSums, unsigned numFactors,
                             bool isDouble, bool isShared)
    : rows(rows), columns(columns), width(width), numSums(numSums),
      numFactors(numFactors), isDouble(isDouble), isShared(isShared),
      sums(rows, columns, numSums,
           /*place=*/isShared ? 2 * getNumReduced() : numFactors * width) {
  sums.foldTo(width).keepParts();
  if (isDouble)
    sums.useDouble();
}

bool ColumnFactors::addsUp() const { return sums.getNumParts() <= kMostParts; }

int64_t ColumnFactors::getNumTiles() const {
  return llvm::divideCeil(width, kColumnTile);
}

int64_t ColumnFactors::getSliceRows() const {
  const int64_t blocks = std::max<int64_t>(1, kManyBlocks / getNumTiles());
  int64_t most = llvm::divideCeil(getViewRows(), blocks);
  if (addsUp())
    most = std::max(most, kRowsPerPart * sums.getNumParts());
  return llvm::alignTo(std::max<int64_t>(most, 1), kRowGroups);
}

SmallVector<KernelStage> ColumnFactors::getStages() const {
  SmallVector<KernelStage> stages = sums.getStages();
  if (isShared) {
    KernelStage &reduction = stages.emplace_back();
    reduction.numReduced = getNumReduced();
  } else {
    if (addsUp())
      stages.truncate(1);
    for (KernelStage &stage : stages)
      stage.serialItems = 0;
  }
  const int64_t slices = llvm::divideCeil(getViewRows(), getSliceRows());
  stages.push_back({getNumTiles() * slices, kTileThreads,
                    /*serialItems=*/sums.getNumSerialTiles()});
  return stages;
}

int64_t ColumnFactors::getScratchSize() const {
  return (isShared ? 2 * getNumReduced() : numFactors * width) +
         sums.getScratchSize();
}

void ColumnFactors::emit(StageEmission &stage, unsigned number, Value item,
                         const Code &code) const {
  if (isShared && number == 1)
    return storeShared(stage, item, code);
  if (stage.isForOneThread())
    return emitSerial(stage, item, code);
  if (number == 0)
    return sums.emit(stage, 0, item, code.terms, /*finish=*/nullptr);
  if (number == 1 && !addsUp())
    return emitTotals(stage, item, code);
  emitRows(stage, item, code);
}

/// Returns the number of columns of a tile.
Value ColumnFactors::getTileEnd(StageEmission &stage, Value firstColumn,
                                int64_t columnsOfTile) const {
  Value end = stage.index(columnsOfTile);
  return width % columnsOfTile == 0
             ? end
             : stage.smaller(end, stage.minus(stage.index(width), firstColumn));
}

/// Returns one over the number of rows.
Value ColumnFactors::getInverseCount(StageEmission &stage) const {
  if (isShared) {
    Value count = stage.loadScratchDouble(stage.index(2 * numSums * width));
    Value inverseCount = stage.divide(stage.real(1), count);
    return isDouble ? inverseCount : stage.narrow(inverseCount);
  }
  return isDouble ? stage.real(1.0 / getViewRows())
                  : stage.number(1.0f / getViewRows());
}

/// Stores the sums of a tile and, with the first column, the number of rows.
void ColumnFactors::storeShared(StageEmission &stage, Value tile,
                                const Code &code) const {
  auto finish = [&](Value column, ValueRange totals) {
    for (auto [i, total] : llvm::enumerate(totals))
      stage.storeScratchDouble(isDouble ? total : stage.widen(total),
                               stage.scale(stage.shift(column, i * width), 2));
    stage.ifTrue(stage.isEqual(column, stage.index(0)), [&] {
      stage.storeScratchDouble(stage.real(double(getViewRows())),
                               stage.index(2 * numSums * width));
    });
  };
  if (stage.isForOneThread())
    sums.emitSerial(stage, tile, code.terms, finish, /*condition=*/nullptr,
                    code.prefetch);
  else
    sums.emitTotals(stage, tile, finish);
}

/// Calls `finish` for the sums of each column before `end` of a tile.
void ColumnFactors::loadShared(StageEmission &stage, Value end,
                               Value firstColumn, FinishSums finish) const {
  stage.forEachBelow(end, [&](Value lane) {
    Value column = stage.shift(firstColumn, lane);
    SmallVector<Value> totals;
    for (unsigned i = 0; i < numSums; ++i) {
      Value total = stage.loadScratchDouble(
          stage.scale(stage.shift(column, i * width), 2));
      totals.push_back(isDouble ? total : stage.narrow(total));
    }
    finish(column, totals);
  });
}

/// Stores the factors in scratch memory, one vector per kind.
void ColumnFactors::emitTotals(StageEmission &stage, Value tile,
                               const Code &code) const {
  Value inverseCount = getInverseCount(stage);
  sums.emitTotals(stage, tile, [&](Value column, ValueRange totals) {
    const SmallVector<Value> factors =
        code.factors(totals, inverseCount, column);
    for (auto [i, factor] : llvm::enumerate(factors))
      stage.storeScratch(factor, stage.shift(column, i * width));
    if (code.keep)
      code.keep(column, factors);
  });
}

/// Computes the factors of a tile's columns. If the condition `keeps` is null
/// or true, the component keeps them. Returns the memory that holds them, one
/// vector per kind.
Value ColumnFactors::emitTileFactors(StageEmission &stage, Value tile,
                                     Value firstColumn, int64_t columnsOfTile,
                                     Value keeps, const Code &code) const {
  OpBuilder &builder = stage.getBuilder();
  Location loc = stage.getLoc();
  Value memory = memref::AllocaOp::create(
      builder, loc,
      MemRefType::get({numFactors * columnsOfTile}, builder.getF32Type()));
  Value inverseCount = getInverseCount(stage);
  auto finish = [&](Value column, ValueRange totals) {
    const SmallVector<Value> factors =
        code.factors(totals, inverseCount, column);
    Value lane = stage.minus(column, firstColumn);
    for (auto [i, factor] : llvm::enumerate(factors))
      memref::StoreOp::create(builder, loc, factor, memory,
                              stage.shift(lane, i * columnsOfTile));
    if (code.keep && keeps)
      stage.ifTrue(keeps, [&] { code.keep(column, factors); });
    else if (code.keep)
      code.keep(column, factors);
  };
  if (isShared)
    loadShared(stage, getTileEnd(stage, firstColumn, columnsOfTile),
               firstColumn, finish);
  else if (stage.isForOneThread())
    sums.emitSerial(stage, tile, code.terms, finish, /*condition=*/nullptr,
                    code.prefetch);
  else
    sums.emitTotals(stage, tile, finish);
  return memory;
}

/// Computes a slice of the rows of the block view, for a tile of its columns.
void ColumnFactors::emitRows(StageEmission &stage, Value item,
                             const Code &code) const {
  OpBuilder &builder = stage.getBuilder();
  Location loc = stage.getLoc();
  const int64_t length = getSliceRows();
  Value slice = stage.quotient(item, getNumTiles());
  Value tile = stage.remainder(item, getNumTiles());
  Value firstColumn = stage.at(tile, kColumnTile, stage.index(0));
  Value firstRow = stage.at(slice, length, stage.index(0));
  Value lastRow =
      stage.smaller(stage.shift(firstRow, length), stage.index(getViewRows()));
  Value shared;
  if (addsUp() || isShared)
    shared = emitTileFactors(stage, tile, firstColumn, kColumnTile,
                             stage.isEqual(slice, stage.index(0)), code);
  auto load = [&](Value lane, Value column, int64_t i) -> Value {
    if (!shared)
      return stage.loadScratch(stage.shift(column, i * width));
    return memref::LoadOp::create(builder, loc, shared,
                                  stage.shift(lane, i * kColumnTile));
  };
  stage.forEach(kTileThreads, [&](Value thread) {
    Value lane = stage.remainder(thread, kColumnTile);
    Value column = stage.shift(firstColumn, lane);
    stage.ifTrue(stage.isLess(column, stage.index(width)), [&] {
      SmallVector<Value> factors;
      for (unsigned i = 0; i < numFactors; ++i)
        factors.push_back(load(lane, column, i));
      Value begin = stage.shift(firstRow, stage.quotient(thread, kColumnTile));
      emitColumn(stage, begin, lastRow, column, factors, code);
    });
  });
}

/// Computes reductions, unless processes share the rows, factors, and all rows
/// of a tile of columns.
void ColumnFactors::emitSerial(StageEmission &stage, Value tile,
                               const Code &code) const {
  OpBuilder &builder = stage.getBuilder();
  Location loc = stage.getLoc();
  const int64_t columnsOfTile = sums.getSerialTile();
  Value firstColumn = stage.scale(tile, columnsOfTile);
  Value ofTile = emitTileFactors(stage, tile, firstColumn, columnsOfTile,
                                 /*keeps=*/nullptr, code);
  Value end = getTileEnd(stage, firstColumn, columnsOfTile);
  stage.loop(
      stage.index(0), stage.index(getViewRows()), {},
      [&](Value row, ValueRange) {
        stage.forEachBelow(end, [&](Value lane) {
          SmallVector<Value> factors;
          for (unsigned i = 0; i < numFactors; ++i)
            factors.push_back(memref::LoadOp::create(
                builder, loc, ofTile, stage.shift(lane, i * columnsOfTile)));
          emitElement(stage, row, stage.shift(firstColumn, lane), factors,
                      code);
        });
        return SmallVector<Value>();
      });
}

/// Computes rows `begin`, `begin` + kRowGroups, ... below `end` of a column.
void ColumnFactors::emitColumn(StageEmission &stage, Value begin, Value end,
                               Value column, ValueRange factors,
                               const Code &code) const {
  scf::ForOp::create(
      stage.getBuilder(), stage.getLoc(), begin, end, stage.index(kRowGroups),
      ValueRange(),
      [&](OpBuilder &builder, Location loc, Value row, ValueRange) {
        emitElement(stage, row, column, factors, code);
        scf::YieldOp::create(builder, loc);
      });
}

void ColumnFactors::emitElement(StageEmission &stage, Value row, Value column,
                                ValueRange factors, const Code &code) const {
  const int64_t blocks = columns / width;
  if (blocks == 1) {
    stage.setRow(row);
    code.apply(column, factors);
    return;
  }
  stage.setRow(stage.quotient(row, blocks));
  code.apply(stage.at(stage.remainder(row, blocks), width, column), factors);
}
