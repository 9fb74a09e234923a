//===- GemmEmitter.cpp - The loops of a matmul ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GemmEmitter.h"
#include "ReducedGemm.h"
#include "RegionOnVectors.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// A sum is ready after about four cycles, and two begin in each.
static constexpr int64_t kSumsInFlight = 8;
/// Floats in a line of the cache.
static constexpr int64_t kLineFloats = 16;

/// Row `row` + `i`, column `column` of vector `v`.
Value GemmEmitter::getPlace(Value base, Value row, int64_t i, int64_t stride,
                            Value column, int64_t v) {
  Value place = e.add(base, e.mul(row, stride));
  return e.add(e.add(place, column), i * stride + v * target.getVectorLength());
}

Value GemmEmitter::loadPart(Value memory, Value place, int64_t columns) {
  if (columns == target.getVectorLength())
    return e.load(columns, memory, place);
  Value part = e.load(columns, memory, place);
  return vector::InsertStridedSliceOp::create(
      e.getBuilder(), e.getLoc(), part, e.splat(target.getVectorLength(), 0),
      ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1});
}

Value GemmEmitter::loadColumns(const Panel &panel, Value place, int64_t v) {
  return e.load(
      target.getVectorLength(), weights,
      e.add(e.add(place, panel.column), v * target.getVectorLength()));
}

/// Asks for the memory that the end of the tile needs: what is added to the
/// sums may come from far away, and the output may have to be fetched to be
/// written.
void GemmEmitter::prefetch(const Panel &panel, Value row, int64_t rows) {
  auto prefetchRow = [&](Value place, bool isWrite) {
    for (int64_t column = 0; column < panel.columns; column += kLineFloats)
      e.prefetch(arena, e.add(place, column), isWrite);
  };
  for (int64_t i = 0; i < rows; ++i) {
    if (shape.initStride && !beginsWithOneRow())
      prefetchRow(getInitPlace(panel, row, i, 0), /*isWrite=*/false);
    for (const auto &input : operands.epilogueInputs)
      if (input.stride)
        prefetchRow(
            getPlace(input.offset, row, i, *input.stride, panel.column, 0),
            /*isWrite=*/false);
    prefetchRow(
        getPlace(operands.output, row, i, shape.outputStride, panel.column, 0),
        /*isWrite=*/true);
  }
}

Value GemmEmitter::getInitPlace(const Panel &panel, Value row, int64_t i,
                                int64_t v) {
  if (shape.initRows < shape.rows) {
    row = e.remainder(e.add(row, i), shape.initRows);
    i = 0;
  }
  return getPlace(operands.init, row, i, *shape.initStride, panel.column, v);
}

Value GemmEmitter::getStart(const Panel &panel, Value row, int64_t v) {
  Value bias = operands.bias ? loadColumns(panel, operands.bias, v)
                             : e.splat(target.getVectorLength(), 0);
  if (!beginsWithOneRow())
    return bias;
  Value init =
      loadPart(arena, getPlace(operands.init, row, 0, 0, panel.column, v),
               getColumns(panel, v));
  return operands.bias
             ? arith::AddFOp::create(e.getBuilder(), e.getLoc(), bias, init)
             : init;
}

SmallVector<Value> GemmEmitter::begin(const Panel &panel, Value row,
                                      int64_t rows) {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < getVectors(panel); ++v)
      sums.push_back(beginSum(panel, row, i, v));
  return sums;
}

Value GemmEmitter::getZeroSum() { return e.splat(target.getVectorLength(), 0); }

Value GemmEmitter::addProduct(Value element, Value column, Value sum) {
  return vector::FMAOp::create(e.getBuilder(), e.getLoc(), element, column,
                               sum);
}

Value GemmEmitter::addSums(Value a, Value b) {
  return arith::AddFOp::create(e.getBuilder(), e.getLoc(), a, b);
}

Value GemmEmitter::getRow(const GemmInput &input, Value base, Value row,
                          int64_t i) {
  if (std::optional<int64_t> stride = input.stride)
    return e.add(e.add(base, e.mul(row, *stride)), i * *stride);
  Value place = e.loadScalar(tables, e.add(e.add(base, row), i));
  return arith::IndexCastOp::create(e.getBuilder(), e.getLoc(),
                                    e.getBuilder().getIndexType(), place);
}

/// Which part of the next panel the tile that begins at `row` asks for: the
/// tiles of a panel fetch the next one together, while they multiply. Both have
/// to stay in the second-level cache, beside the rows.
GemmEmitter::Ahead GemmEmitter::getAhead(Value row) {
  const int64_t tiles =
      std::min(shape.rows, shape.getBlockRows()) / shape.getTileRows();
  const int64_t width = shape.tile.getPanelWidth(target);
  const int64_t size = width * shape.getRowWords();
  if (tiles < 2 || shape.columns <= width || 4 * size > target.getL2Bytes() / 4)
    return {};
  const int64_t vectors = llvm::divideCeil(shape.tile.vectors, tiles);
  Value tile = e.remainder(e.divide(row, shape.getTileRows()),
                           llvm::divideCeil(shape.tile.vectors, vectors));
  return {e.add(e.mul(tile, vectors * target.getVectorLength()),
                width * shape.depth),
          vectors};
}

/// Adds the products of column `k` of some rows to `sums`, which has one entry
/// per row and vector.
SmallVector<Value> GemmEmitter::addProducts(Value packed, Value k,
                                            ArrayRef<Value> places,
                                            ValueRange sums,
                                            const Ahead &ahead) {
  const int64_t vectors = sums.size() / places.size();
  Value at = e.add(packed, e.mul(k, shape.tile.getPanelWidth(target)));
  for (int64_t v = 0; v < ahead.vectors; ++v)
    e.prefetchSecondLevel(weights, e.add(e.add(at, ahead.distance),
                                         v * target.getVectorLength()));
  SmallVector<Value> columns;
  for (int64_t v = 0; v < vectors; ++v)
    columns.push_back(e.load(target.getVectorLength(), weights,
                             e.add(at, v * target.getVectorLength())));
  SmallVector<Value> next;
  for (auto [i, place] : llvm::enumerate(places)) {
    Value element = e.broadcast(target.getVectorLength(),
                                e.loadScalar(arena, e.add(place, k)));
    for (int64_t v = 0; v < vectors; ++v)
      next.push_back(addProduct(element, columns[v], sums[i * vectors + v]));
  }
  return next;
}

/// Adds the products with one factor to the sums. A tile with few sums has
/// several of each, of every second, third or further column.
SmallVector<Value> GemmEmitter::multiply(const Panel &panel, size_t factor,
                                         Value row, int64_t rows,
                                         ValueRange sums) {
  const GemmInput &part = factors[factor];
  SmallVector<Value> places;
  for (int64_t i = 0; i < rows; ++i)
    places.push_back(getRow(part, factorPlaces[factor], row, i));
  const Ahead ahead = getAhead(row);
  Value packed =
      e.add(panel.weights, part.first * shape.tile.getPanelWidth(target));
  const int64_t numSums = sums.size();
  const int64_t unroll =
      std::clamp<int64_t>(kSumsInFlight / numSums, 1, part.depth);
  const int64_t whole = part.depth / unroll * unroll;
  SmallVector<Value> carried = llvm::to_vector(sums);
  carried.append((unroll - 1) * numSums, getZeroSum());
  ValueRange results = e.loop(
      e.index(0), e.index(whole), unroll, carried,
      [&](Value k, ValueRange all) {
        SmallVector<Value> next;
        for (int64_t u = 0; u < unroll; ++u)
          next.append(addProducts(packed, e.add(k, u), places,
                                  all.slice(u * numSums, numSums), ahead));
        return next;
      });
  SmallVector<Value> total = llvm::to_vector(results.take_front(numSums));
  for (int64_t i = numSums; i < unroll * numSums; ++i)
    total[i % numSums] = addSums(total[i % numSums], results[i]);
  for (int64_t k = whole; k < part.depth; ++k)
    total = addProducts(packed, e.index(k), places, total, Ahead());
  return total;
}

/// Adds what is left to add to a sum, applies the epilogue and stores it.
void GemmEmitter::end(const Panel &panel, Value row, int64_t i, int64_t v,
                      Value sum) {
  const int64_t columns = getColumns(panel, v);
  sum = finishSum(panel, row, i, v, sum);
  if (shape.initStride && !beginsWithOneRow())
    sum = arith::AddFOp::create(
        e.getBuilder(), e.getLoc(), sum,
        loadPart(arena, getInitPlace(panel, row, i, v), columns));
  SmallVector<Value> values = {sum};
  for (const auto &input : operands.epilogueInputs)
    values.push_back(input.stride
                         ? loadPart(arena,
                                    getPlace(input.offset, row, i,
                                             *input.stride, panel.column, v),
                                    columns)
                         : loadColumns(panel, input.offset, v));
  sum =
      computeOnVectors(e, *operands.epilogue, values, target.getVectorLength())
          .front();
  if (columns != target.getVectorLength())
    sum = vector::ExtractStridedSliceOp::create(
        e.getBuilder(), e.getLoc(), sum, ArrayRef<int64_t>{0},
        ArrayRef<int64_t>{columns}, ArrayRef<int64_t>{1});
  e.store(
      sum, arena,
      getPlace(operands.output, row, i, shape.outputStride, panel.column, v));
}

void GemmEmitter::emitTile(const Panel &panel, Value row, int64_t rows) {
  prefetch(panel, row, rows);
  SmallVector<Value> sums = begin(panel, row, rows);
  for (size_t factor = 0; factor < factors.size(); ++factor)
    sums = multiply(panel, factor, row, rows, sums);
  const int64_t vectors = getVectors(panel);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < vectors; ++v)
      end(panel, row, i, v, sums[i * vectors + v]);
}

/// All panels, the last of which may be narrower.
void GemmEmitter::emitPanels(function_ref<void(const Panel &)> body) {
  const int64_t width = shape.tile.getPanelWidth(target);
  const int64_t whole = shape.columns / width;
  const int64_t rest = shape.columns % width;
  e.forEach(whole, 1, [&](Value p) {
    body({e.mul(p, width),
          e.add(operands.panels, e.mul(p, width * shape.depth)), width});
  });
  if (rest)
    body({e.index(whole * width),
          e.add(operands.panels, whole * width * shape.depth), rest});
}

void GemmEmitter::emit() {
  const int64_t tileRows = shape.getTileRows();
  const int64_t whole = shape.getNumWholeTiles() * tileRows;
  const int64_t rest = shape.rows - whole;
  const int64_t block = shape.getBlockRows();
  e.forEach(whole, block, [&](Value first) {
    Value last = whole <= block ? e.index(whole)
                                : e.min(e.add(first, block), e.index(whole));
    prepareRows(e.index(0), first, whole <= block ? e.index(shape.rows) : last);
    emitPanels([&](const Panel &panel) {
      if (whole <= tileRows)
        emitTile(panel, first, tileRows);
      else
        e.loop(first, last, tileRows,
               [&](Value row) { emitTile(panel, row, tileRows); });
      if (rest && whole <= block)
        emitTile(panel, e.index(whole), rest);
    });
  });
  if (rest && whole > block) {
    prepareRows(e.index(0), e.index(whole), e.index(shape.rows));
    emitPanels(
        [&](const Panel &panel) { emitTile(panel, e.index(whole), rest); });
  }
}

/// As emit(), for some of the tiles: each is computed in the same way whatever
/// the others are.
void GemmEmitter::emitPart(Value beginTile, Value endTile) {
  const int64_t tileRows = shape.getTileRows();
  const int64_t whole = shape.getNumWholeTiles() * tileRows;
  const int64_t block = shape.getBlockRows();
  Value begin = e.mul(beginTile, tileRows), end = e.mul(endTile, tileRows);
  auto emitWhole = [&](const Panel &panel, Value first, Value last) {
    e.loop(first, last, tileRows,
           [&](Value row) { emitTile(panel, row, tileRows); });
  };
  auto emitRest = [&](const Panel &panel) {
    emitTile(panel, e.index(whole), shape.rows - whole);
  };
  auto ifRest = [&](function_ref<void()> body) {
    if (whole < shape.rows)
      e.ifEqual(end, e.index(whole), body);
  };
  if (whole <= block) {
    Value last = whole < shape.rows ? e.selectEqual(end, e.index(whole),
                                                    e.index(shape.rows), end)
                                    : end;
    prepareRows(begin, begin, last);
    return emitPanels([&](const Panel &panel) {
      emitWhole(panel, begin, end);
      ifRest([&] { emitRest(panel); });
    });
  }
  e.loop(begin, end, block, [&](Value first) {
    Value last = e.min(e.add(first, block), end);
    prepareRows(begin, first, last);
    emitPanels([&](const Panel &panel) { emitWhole(panel, first, last); });
  });
  ifRest([&] {
    prepareRows(begin, end, e.index(shape.rows));
    emitPanels(emitRest);
  });
}

std::unique_ptr<GemmEmitter>
kernel::createGemmEmitter(const GemmOperands &operands, TargetAttr target,
                          OpBuilder &builder, Location loc) {
  switch (operands.shape.precision) {
  case Precision::BF16:
    return createBf16GemmEmitter(operands, target, builder, loc);
  case Precision::Int8:
    return createInt8GemmEmitter(operands, target, builder, loc);
  default:
    return std::make_unique<GemmEmitter>(operands, target, builder, loc);
  }
}
