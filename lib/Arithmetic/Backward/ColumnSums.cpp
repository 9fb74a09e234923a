//===- ColumnSums.cpp - Sums over the rows of a matrix --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/ColumnSums.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Rows of a stretch at least, 16 for each thread: else it costs more to launch
/// another kernel for the sums than to wait for fewer blocks.
static constexpr int64_t kMinStretch = 128;

ColumnSums::ColumnSums(int64_t rows, int64_t columns, unsigned numSums,
                       int64_t place)
    : rows(rows), columns(columns), width(columns), numSums(numSums),
      place(place) {
  const int64_t tiles = llvm::divideCeil(columns, kColumnTile);
  const int64_t most =
      llvm::divideCeil(kManyBlocks, std::max<int64_t>(tiles, 1));
  stretches = std::clamp<int64_t>(rows / kMinStretch, 1, most);
  stretchRows = llvm::divideCeil(rows, stretches);
  stretches = std::max<int64_t>(
      1, llvm::divideCeil(rows, std::max<int64_t>(stretchRows, 1)));
}

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
  SmallVector<KernelStage> stages = {{tiles * stretches, kTileThreads, {}}};
  if (hasParts())
    stages.push_back(
        {int64_t(llvm::divideCeil(width, kColumnTile)), kTileThreads, {}});
  return stages;
}

int64_t ColumnSums::getScratchSize() const {
  return hasParts() ? numSums * stretches * columns * (isDouble ? 2 : 1) : 0;
}

int64_t ColumnSums::getMaxScratchSize(int64_t elements, int64_t columns,
                                      unsigned numSums) {
  const int64_t tiles = llvm::divideCeil(columns, kColumnTile);
  return numSums * std::min(elements, (kManyBlocks + tiles) * kColumnTile);
}

void ColumnSums::emit(StageEmission &stage, unsigned number, Value item,
                      Terms terms, Finish finish) const {
  if (number == 0)
    addParts(stage, item, terms, finish);
  else
    emitTotals(stage, item, finish);
}

/// Where the part in a row and column of sum `sum` is, which is behind those of
/// the sums before it.
Value ColumnSums::getPart(StageEmission &stage, Value row, int64_t rowLength,
                          Value column, int64_t sum) const {
  Value number =
      stage.shift(stage.at(row, rowLength, column), sum * stretches * columns);
  if (isDouble)
    number = stage.at(number, 2, stage.index(0));
  return stage.shift(number, place);
}

/// Sums of stretches: a row for each of them, of one sum behind the other.
void ColumnSums::addParts(StageEmission &stage, Value item, Terms terms,
                          Finish finish) const {
  const int64_t tiles = llvm::divideCeil(columns, kColumnTile);
  Part part = {stage.index(0), stage.index(rows), item, columns};
  Value stretch = stage.index(0);
  if (stretches > 1) {
    stretch = stage.quotient(item, tiles);
    part.tile = stage.remainder(item, tiles);
    part.firstRow = stage.at(stretch, stretchRows, stage.index(0));
    part.lastRow = stage.smaller(stage.shift(part.firstRow, stretchRows),
                                 stage.index(rows));
  }
  if (!hasParts())
    return addUp(stage, part, terms, finish);
  addUp(stage, part, terms, [&](Value column, ValueRange sums) {
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value to = getPart(stage, stretch, columns, column, i);
      if (isDouble)
        stage.storeScratchDouble(sum, to);
      else
        stage.storeScratch(sum, to);
    }
  });
}

/// The sums of stretches and blocks are a matrix, too.
void ColumnSums::emitTotals(StageEmission &stage, Value tile,
                            Finish finish) const {
  const Part part = {stage.index(0), stage.index(getNumParts()), tile, width};
  addUp(
      stage, part,
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

/// Sums of rows `begin`, `begin` + kRowGroups, ... below `end`.
SmallVector<Value>
ColumnSums::addRows(StageEmission &stage, Value begin, Value end,
                    function_ref<SmallVector<Value>(Value)> terms) const {
  SmallVector<Value> zeros(numSums, isDouble ? stage.real(0) : stage.number(0));
  auto loop = scf::ForOp::create(
      stage.getBuilder(), stage.getLoc(), begin, end, stage.index(kRowGroups),
      zeros,
      [&](OpBuilder &builder, Location loc, Value row, ValueRange before) {
        stage.setRow(row);
        SmallVector<Value> sums;
        for (auto [sum, term] : llvm::zip_equal(before, terms(row)))
          sums.push_back(stage.add(sum, term));
        scf::YieldOp::create(builder, loc, sums);
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}

void ColumnSums::addUp(StageEmission &stage, const Part &part, Terms terms,
                       Finish finish) const {
  OpBuilder &builder = stage.getBuilder();
  Location loc = stage.getLoc();
  Type number = isDouble ? builder.getF64Type() : builder.getF32Type();
  auto type = MemRefType::get({numSums * kTileThreads}, number);
  Value groups = memref::AllocaOp::create(builder, loc, type);
  Value firstColumn = stage.at(part.tile, kColumnTile, stage.index(0));
  const bool hasBorder = part.columns % kColumnTile;
  stage.forEach(kTileThreads, [&](Value thread) {
    Value column =
        stage.plus(firstColumn, stage.remainder(thread, kColumnTile));
    // Threads without a column read the last one, too.
    if (hasBorder)
      column = stage.smaller(column, stage.index(part.columns - 1));
    Value row = stage.plus(part.firstRow, stage.quotient(thread, kColumnTile));
    auto sums = addRows(stage, row, part.lastRow,
                        [&](Value row) { return terms(row, column); });
    for (auto [i, sum] : llvm::enumerate(sums))
      memref::StoreOp::create(builder, loc, sum, groups,
                              stage.shift(thread, i * kTileThreads));
  });
  Value end = stage.index(kColumnTile);
  if (hasBorder)
    end =
        stage.smaller(end, stage.minus(stage.index(part.columns), firstColumn));
  stage.forEachBelow(end, [&](Value lane) {
    SmallVector<Value> sums(numSums);
    for (int64_t i = 0; i < numSums * kRowGroups; ++i) {
      Value sum = memref::LoadOp::create(builder, loc, groups,
                                         stage.shift(lane, i * kColumnTile));
      Value &before = sums[i / kRowGroups];
      before = before ? stage.add(before, sum) : sum;
    }
    finish(stage.plus(firstColumn, lane), sums);
  });
}
