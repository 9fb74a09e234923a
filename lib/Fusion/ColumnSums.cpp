//===- ColumnSums.cpp - Sums over the rows of a matrix --------------------===//

#include "nnet3/Fusion/ColumnSums.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Columns of a tile: the threads that a device lets read at once.
static constexpr int64_t kTile = 32;
/// Groups of threads that share the rows.
static constexpr int64_t kGroups = 8;
static constexpr int64_t kThreads = kTile * kGroups;
/// Rows of a stretch at least, 16 for each thread: else it costs more to launch
/// another kernel for the sums than to wait for fewer blocks.
static constexpr int64_t kMinStretch = 128;
/// Blocks that leave nothing of a large device without work.
static constexpr int64_t kBlocks = 1024;

ColumnSums::ColumnSums(int64_t rows, int64_t columns, unsigned numSums,
                       int64_t place)
    : rows(rows), columns(columns), width(columns), numSums(numSums),
      place(place) {
  const int64_t tiles = llvm::divideCeil(columns, kTile);
  const int64_t most = llvm::divideCeil(kBlocks, std::max<int64_t>(tiles, 1));
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

SmallVector<KernelStage> ColumnSums::getStages() const {
  const int64_t tiles = llvm::divideCeil(columns, kTile);
  SmallVector<KernelStage> stages = {{tiles * stretches, kThreads, {}}};
  if (hasParts())
    stages.push_back({int64_t(llvm::divideCeil(width, kTile)), kThreads, {}});
  return stages;
}

int64_t ColumnSums::getScratchSize() const {
  return hasParts() ? numSums * stretches * columns : 0;
}

int64_t ColumnSums::getMaxScratchSize(int64_t elements, int64_t columns,
                                      unsigned numSums) {
  const int64_t tiles = llvm::divideCeil(columns, kTile);
  return numSums * std::min(elements, (kBlocks + tiles) * kTile);
}

void ColumnSums::emit(StageEmission &stage, unsigned number, Value item,
                      Terms terms, Finish finish) const {
  if (number == 0)
    addParts(stage, item, terms, finish);
  else
    addTotals(stage, item, finish);
}

/// Sums of stretches: a row for each of them, of one sum behind the other.
void ColumnSums::addParts(StageEmission &stage, Value item, Terms terms,
                          Finish finish) const {
  const int64_t tiles = llvm::divideCeil(columns, kTile);
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
    for (auto [i, sum] : llvm::enumerate(sums))
      stage.storeScratch(sum,
                         stage.shift(stage.at(stretch, columns, column),
                                     place + int64_t(i) * stretches * columns));
  });
}

/// The sums of stretches and blocks are a matrix, too.
void ColumnSums::addTotals(StageEmission &stage, Value tile,
                           Finish finish) const {
  const int64_t size = stretches * columns;
  const Part part = {stage.index(0), stage.index(size / width), tile, width};
  addUp(
      stage, part,
      [&](Value row, Value column) {
        SmallVector<Value> terms;
        for (int64_t i = 0; i < numSums; ++i)
          terms.push_back(stage.loadScratch(
              stage.shift(stage.at(row, width, column), place + i * size)));
        return terms;
      },
      finish);
}

/// Sums of rows `begin`, `begin` + kGroups, ... below `end`.
static SmallVector<Value>
addRows(StageEmission &stage, Value begin, Value end, unsigned numSums,
        function_ref<SmallVector<Value>(Value)> terms) {
  SmallVector<Value> zeros(numSums, stage.number(0));
  auto loop = scf::ForOp::create(
      stage.getBuilder(), stage.getLoc(), begin, end, stage.index(kGroups),
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
  auto type = MemRefType::get({numSums * kThreads}, builder.getF32Type());
  Value groups = memref::AllocaOp::create(builder, loc, type);
  Value firstColumn = stage.at(part.tile, kTile, stage.index(0));
  const bool hasBorder = part.columns % kTile;
  stage.forEach(kThreads, [&](Value thread) {
    Value column = stage.plus(firstColumn, stage.remainder(thread, kTile));
    // Threads without a column read the last one, too.
    if (hasBorder)
      column = stage.smaller(column, stage.index(part.columns - 1));
    Value row = stage.plus(part.firstRow, stage.quotient(thread, kTile));
    auto sums = addRows(stage, row, part.lastRow, numSums,
                        [&](Value row) { return terms(row, column); });
    for (auto [i, sum] : llvm::enumerate(sums))
      memref::StoreOp::create(builder, loc, sum, groups,
                              stage.shift(thread, i * kThreads));
  });
  Value end = stage.index(kTile);
  if (hasBorder)
    end =
        stage.smaller(end, stage.minus(stage.index(part.columns), firstColumn));
  stage.forEachBelow(end, [&](Value lane) {
    SmallVector<Value> sums(numSums);
    for (int64_t i = 0; i < numSums * kGroups; ++i) {
      Value sum = memref::LoadOp::create(builder, loc, groups,
                                         stage.shift(lane, i * kTile));
      Value &before = sums[i / kGroups];
      before = before ? stage.add(before, sum) : sum;
    }
    finish(stage.plus(firstColumn, lane), sums);
  });
}
