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
  Value place = addIndex(b, base, mulIndex(b, row, stride));
  return addIndex(b, addIndex(b, place, column), i * stride + v * length);
}

Value GemmEmitter::loadPart(Value memory, Value place, int64_t columns) {
  auto type = VectorType::get({columns}, b.getF32Type());
  Value part = vector::LoadOp::create(b, type, memory, place);
  if (columns == length)
    return part;
  return vector::InsertStridedSliceOp::create(
      b, part, createZero(), ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1});
}

Value GemmEmitter::loadColumns(const Panel &panel, Value place, int64_t v) {
  return vector::LoadOp::create(
      b, vectorType, weights,
      addIndex(b, addIndex(b, place, panel.column), v * length));
}

/// Asks for the memory that the end of the tile needs: what is added to the
/// sums may come from far away, and the output may have to be fetched to be
/// written.
void GemmEmitter::prefetch(const Panel &panel, Value row, int64_t rows) {
  auto prefetchRow = [&](Value place, bool isWrite) {
    for (int64_t column = 0; column < panel.columns; column += kLineFloats)
      memref::PrefetchOp::create(b, arena, addIndex(b, place, column), isWrite,
                                 /*localityHint=*/3, /*isDataCache=*/true);
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
    row = remIndex(b, addIndex(b, row, i), shape.initRows);
    i = 0;
  }
  return getPlace(operands.init, row, i, *shape.initStride, panel.column, v);
}

Value GemmEmitter::getStart(const Panel &panel, Value row, int64_t v) {
  Value bias =
      operands.bias ? loadColumns(panel, operands.bias, v) : createZero();
  if (!beginsWithOneRow())
    return bias;
  Value init =
      loadPart(arena, getPlace(operands.init, row, 0, 0, panel.column, v),
               getColumns(panel, v));
  return operands.bias ? arith::AddFOp::create(b, bias, init) : init;
}

SmallVector<Value> GemmEmitter::begin(const Panel &panel, Value row,
                                      int64_t rows) {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < getVectors(panel); ++v)
      sums.push_back(beginSum(panel, row, i, v));
  return sums;
}

Value GemmEmitter::addProduct(Value element, Value column, Value sum) {
  return vector::FMAOp::create(b, element, column, sum);
}

Value GemmEmitter::getRow(const GemmInput &input, Value base, Value row,
                          int64_t i) {
  if (std::optional<int64_t> stride = input.stride)
    return addIndex(b, addIndex(b, base, mulIndex(b, row, *stride)),
                    i * *stride);
  Value place =
      memref::LoadOp::create(b, tables, addIndex(b, addIndex(b, base, row), i));
  return arith::IndexCastOp::create(b, b.getIndexType(), place);
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
  Value tile = remIndex(b, divIndex(b, row, shape.getTileRows()),
                        llvm::divideCeil(shape.tile.vectors, vectors));
  return {addIndex(b, mulIndex(b, tile, vectors * length), width * shape.depth),
          vectors};
}

/// Adds the products of column `k` of some rows to `sums`, which has one entry
/// per row and vector.
SmallVector<Value> GemmEmitter::addProducts(Value packed, Value k,
                                            ArrayRef<Value> places,
                                            ValueRange sums,
                                            const Ahead &ahead) {
  const int64_t vectors = sums.size() / places.size();
  Value at =
      addIndex(b, packed, mulIndex(b, k, shape.tile.getPanelWidth(target)));
  for (int64_t v = 0; v < ahead.vectors; ++v)
    memref::PrefetchOp::create(
        b, weights, addIndex(b, addIndex(b, at, ahead.distance), v * length),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  SmallVector<Value> columns;
  for (int64_t v = 0; v < vectors; ++v)
    columns.push_back(vector::LoadOp::create(b, vectorType, weights,
                                             addIndex(b, at, v * length)));
  SmallVector<Value> next;
  for (auto [i, place] : llvm::enumerate(places)) {
    Value element = vector::BroadcastOp::create(
        b, vectorType, memref::LoadOp::create(b, arena, addIndex(b, place, k)));
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
      addIndex(b, panel.weights, part.first * shape.tile.getPanelWidth(target));
  const int64_t numSums = sums.size();
  const int64_t unroll =
      std::clamp<int64_t>(kSumsInFlight / numSums, 1, part.depth);
  const int64_t whole = part.depth / unroll * unroll;
  SmallVector<Value> carried = llvm::to_vector(sums);
  carried.append((unroll - 1) * numSums, getZeroSum());
  auto loop = scf::ForOp::create(
      b, arith::ConstantIndexOp::create(b, 0),
      arith::ConstantIndexOp::create(b, whole),
      arith::ConstantIndexOp::create(b, unroll), carried,
      [&](OpBuilder &, Location, Value k, ValueRange all) {
        SmallVector<Value> next;
        for (int64_t u = 0; u < unroll; ++u)
          next.append(addProducts(packed, addIndex(b, k, u), places,
                                  all.slice(u * numSums, numSums), ahead));
        scf::YieldOp::create(b, next);
      });
  ValueRange results = loop.getResults();
  SmallVector<Value> total = llvm::to_vector(results.take_front(numSums));
  for (int64_t i = numSums; i < unroll * numSums; ++i)
    total[i % numSums] = addSums(total[i % numSums], results[i]);
  for (int64_t k = whole; k < part.depth; ++k)
    total = addProducts(packed, arith::ConstantIndexOp::create(b, k), places,
                        total, Ahead());
  return total;
}

/// Adds what is left to add to a sum, applies the epilogue and stores it.
void GemmEmitter::end(const Panel &panel, Value row, int64_t i, int64_t v,
                      Value sum) {
  const int64_t columns = getColumns(panel, v);
  sum = finishSum(panel, row, i, v, sum);
  if (shape.initStride && !beginsWithOneRow())
    sum = arith::AddFOp::create(
        b, sum, loadPart(arena, getInitPlace(panel, row, i, v), columns));
  SmallVector<Value> values = {sum};
  for (const auto &input : operands.epilogueInputs)
    values.push_back(input.stride
                         ? loadPart(arena,
                                    getPlace(input.offset, row, i,
                                             *input.stride, panel.column, v),
                                    columns)
                         : loadColumns(panel, input.offset, v));
  sum = computeOnVectors(b, *operands.epilogue, values, vectorType).front();
  if (columns != length)
    sum = vector::ExtractStridedSliceOp::create(b, sum, ArrayRef<int64_t>{0},
                                                ArrayRef<int64_t>{columns},
                                                ArrayRef<int64_t>{1});
  vector::StoreOp::create(
      b, sum, arena,
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
  forEachStep(b, whole, 1, [&](Value p) {
    body({mulIndex(b, p, width),
          addIndex(b, operands.panels, mulIndex(b, p, width * shape.depth)),
          width});
  });
  if (rest)
    body({arith::ConstantIndexOp::create(b, whole * width),
          addIndex(b, operands.panels, whole * width * shape.depth), rest});
}

void GemmEmitter::emit() {
  const int64_t tileRows = shape.getTileRows();
  const int64_t whole = shape.getNumWholeTiles() * tileRows;
  const int64_t rest = shape.rows - whole;
  const int64_t block = shape.getBlockRows();
  forEachStep(b, whole, block, [&](Value first) {
    Value last =
        whole <= block
            ? Value(arith::ConstantIndexOp::create(b, whole))
            : arith::MinSIOp::create(b, addIndex(b, first, block),
                                     arith::ConstantIndexOp::create(b, whole));
    prepareRows(arith::ConstantIndexOp::create(b, 0), first,
                whole <= block
                    ? Value(arith::ConstantIndexOp::create(b, shape.rows))
                    : last);
    emitPanels([&](const Panel &panel) {
      if (whole <= tileRows)
        emitTile(panel, first, tileRows);
      else
        forEachStep(b, first, last, tileRows,
                    [&](Value row) { emitTile(panel, row, tileRows); });
      if (rest && whole <= block)
        emitTile(panel, arith::ConstantIndexOp::create(b, whole), rest);
    });
  });
  if (rest && whole > block) {
    prepareRows(arith::ConstantIndexOp::create(b, 0),
                arith::ConstantIndexOp::create(b, whole),
                arith::ConstantIndexOp::create(b, shape.rows));
    emitPanels([&](const Panel &panel) {
      emitTile(panel, arith::ConstantIndexOp::create(b, whole), rest);
    });
  }
}

/// As emit(), for some of the tiles: each is computed in the same way whatever
/// the others are.
void GemmEmitter::emitPart(Value beginTile, Value endTile) {
  const int64_t tileRows = shape.getTileRows();
  const int64_t whole = shape.getNumWholeTiles() * tileRows;
  const int64_t block = shape.getBlockRows();
  Value begin = mulIndex(b, beginTile, tileRows),
        end = mulIndex(b, endTile, tileRows);
  auto emitWhole = [&](const Panel &panel, Value first, Value last) {
    forEachStep(b, first, last, tileRows,
                [&](Value row) { emitTile(panel, row, tileRows); });
  };
  auto emitRest = [&](const Panel &panel) {
    emitTile(panel, arith::ConstantIndexOp::create(b, whole),
             shape.rows - whole);
  };
  auto hasRest = [&]() -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, end,
                                 arith::ConstantIndexOp::create(b, whole));
  };
  auto ifRest = [&](function_ref<void()> body) {
    if (whole < shape.rows)
      scf::IfOp::create(b, hasRest(), [&](OpBuilder &, Location) {
        body();
        scf::YieldOp::create(b);
      });
  };
  if (whole <= block) {
    Value last = end;
    if (whole < shape.rows)
      last = arith::SelectOp::create(
          b, hasRest(), arith::ConstantIndexOp::create(b, shape.rows), end);
    prepareRows(begin, begin, last);
    return emitPanels([&](const Panel &panel) {
      emitWhole(panel, begin, end);
      ifRest([&] { emitRest(panel); });
    });
  }
  forEachStep(b, begin, end, block, [&](Value first) {
    Value last = arith::MinSIOp::create(b, addIndex(b, first, block), end);
    prepareRows(begin, first, last);
    emitPanels([&](const Panel &panel) { emitWhole(panel, first, last); });
  });
  ifRest([&] {
    prepareRows(begin, end, arith::ConstantIndexOp::create(b, shape.rows));
    emitPanels(emitRest);
  });
}

std::unique_ptr<GemmEmitter>
kernel::createGemmEmitter(const GemmOperands &operands, TargetAttr target,
                          const ImplicitLocOpBuilder &b) {
  switch (operands.shape.precision) {
  case Precision::BF16:
    return createBf16GemmEmitter(operands, target, b);
  case Precision::Int8:
    return createInt8GemmEmitter(operands, target, b);
  default:
    return std::make_unique<GemmEmitter>(operands, target, b);
  }
}
