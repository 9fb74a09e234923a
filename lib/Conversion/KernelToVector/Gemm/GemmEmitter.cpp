//===- GemmEmitter.cpp - The loops of a matmul ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GemmEmitter.h"
#include "ReducedGemm.h"
#include "RegionOnVectors.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Floats in a cache line.
static constexpr int64_t kLineFloats = 16;
/// Prefetch distance for weights in floats: a few times the amount that arrives
/// during one memory latency, and a part of the L1 cache. Tiles with fewer rows
/// do not prefetch.
static constexpr int64_t kFloatsAhead = 2048, kFewestRowsAhead = 4;
/// Fewest multiplications of a column in a tile that also prefetches `init`
/// there: with fewer, the prefetches would compete for instructions.
static constexpr int64_t kFewestProducts = 16;

/// Offset of row `row` + `i`, column `column` of vector `v`.
Value GemmEmitter::getPlace(Value base, Value row, int64_t i, int64_t stride,
                            Value column, int64_t v) {
  Value place = addIndex(b, base, mulIndex(b, row, stride));
  return addVectors(addIndex(b, place, column), v, i * stride);
}

Value GemmEmitter::loadPart(VectorType type, Value memory, Value place,
                            int64_t columns) {
  Value part = vector::LoadOp::create(
      b, VectorType::get({columns}, b.getF32Type()), memory, place);
  if (columns == type.getDimSize(0))
    return part;
  return vector::InsertStridedSliceOp::create(
      b, part, createZero(type), ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1});
}

Value GemmEmitter::loadColumns(const Panel &panel,
                               const GemmOperands::Columns &columns,
                               int64_t v) {
  return loadWhole(panel, columns.memory,
                   addIndex(b, columns.offset, panel.column), v);
}

Value GemmEmitter::loadElement(Value place) {
  return vector::BroadcastOp::create(b, vectorType,
                                     memref::LoadOp::create(b, arena, place));
}

Value GemmEmitter::loadLanes(Value place, Value k) {
  auto type = VectorType::get({target.getRowLanes()}, b.getF32Type());
  Value lanes = vector::LoadOp::create(b, type, arena, addIndex(b, place, k));
  LaneIntrinsicsAttr intrinsics = target.getLaneIntrinsics();
  if (!intrinsics)
    return lanes;
  Value first = vector::ScalableInsertOp::create(
      b, lanes, ub::PoisonOp::create(b, vectorType), /*pos=*/0);
  Value number = arith::ConstantIntOp::create(b, b.getI64Type(), 0);
  return LLVM::CallIntrinsicOp::create(b, vectorType,
                                       b.getStringAttr(intrinsics.getCopy()),
                                       {first, number})
      .getResult(0);
}

GemmEmitter::Element GemmEmitter::getLane(Value elements, int64_t lane) {
  if (target.getLaneIntrinsics())
    return {elements, lane};
  // LLVM selects the lane operand of an integer dot product only on words.
  const bool isInteger = hasIntegers(shape.precision);
  auto type = cast<VectorType>(elements.getType());
  if (isInteger)
    elements =
        vector::BitCastOp::create(b, type.clone(b.getI32Type()), elements);
  Value result = vector::ShuffleOp::create(b, elements, elements,
                                           SmallVector<int64_t>(length, lane));
  return {isInteger ? Value(vector::BitCastOp::create(b, vectorType, result))
                    : result};
}

void GemmEmitter::prefetchPlace(Value place, bool isWrite) {
  memref::PrefetchOp::create(b, arena, place, isWrite, /*localityHint=*/3,
                             /*isDataCache=*/true);
}

void GemmEmitter::prefetchRow(const Panel &panel, Value place, bool isWrite) {
  if (target.isScalable()) {
    for (int64_t v = 0; v < getVectors(panel); ++v)
      prefetchPlace(addVectors(place, v), isWrite);
    return;
  }
  for (int64_t column = 0; column < panel.columns; column += kLineFloats)
    prefetchPlace(addIndex(b, place, column), isWrite);
}

/// Whether tiles begin with rows of a matrix.
bool GemmEmitter::beginsWithRows() const {
  return shape.initStride && !beginsWithOneRow();
}

/// Prefetches the output and the matrices of the epilogue for the end of this
/// tile, and `init` for the start of the next tile unless prefetchInit() does:
/// both may be outside the caches.
void GemmEmitter::prefetch(const Panel &panel, Value row, int64_t rows) {
  for (int64_t i = 0; i < rows; ++i) {
    if (beginsWithRows() && rows < shape.rows && !getColumnsPerRow(panel, rows))
      prefetchRow(panel, getInitPlace(panel, row, rows + i, 0),
                  /*isWrite=*/false);
    for (const auto &input : operands.epilogueInputs)
      if (input.stride)
        prefetchRow(panel,
                    getPlace(input.first.offset, row, i, *input.stride,
                             panel.column, 0),
                    /*isWrite=*/false);
    prefetchRow(
        panel,
        getPlace(operands.output, row, i, shape.outputStride, panel.column, 0),
        /*isWrite=*/true);
  }
}

/// Returns for how many columns a tile prefetches the same row of `init` for
/// the next tile, a line for each column; 0 if it prefetches all of them before
/// its first column.
int64_t GemmEmitter::getColumnsPerRow(const Panel &panel, int64_t rows) const {
  if (!beginsWithRows() || rows == shape.rows || !panel.masks.empty() ||
      target.getRowLanes() > 1 || rows * getVectors(panel) < kFewestProducts)
    return 0;
  const int64_t columns =
      llvm::bit_floor(uint64_t(factors.front().depth / rows));
  return columns * kLineFloats >= panel.columns ? columns : 0;
}

/// Prefetches a line of `init` for the next tile of `rows` rows while this one
/// multiplies its column `k`. All lines at once are more misses than a core can
/// wait for, so that the first weights would wait for them.
void GemmEmitter::prefetchInit(const Panel &panel, Value row, int64_t rows,
                               Value k) {
  const int64_t columns = getColumnsPerRow(panel, rows);
  if (columns == 0)
    return;
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value i = arith::MinUIOp::create(
      b, arith::DivUIOp::create(b, k, constant(columns)), constant(rows - 1));
  Value line = remIndex(b, k, llvm::divideCeil(panel.columns, kLineFloats));
  Value place = getInitPlace(panel, addIndex(b, row, i), rows, 0);
  prefetchPlace(addIndex(b, place, mulIndex(b, line, kLineFloats)),
                /*isWrite=*/false);
}

Value GemmEmitter::getInitPlace(const Panel &panel, Value row, int64_t i,
                                int64_t v) {
  if (shape.initRows < shape.rows) {
    row = remIndex(b, addIndex(b, row, i), shape.initRows);
    i = 0;
  }
  return getPlace(operands.init, row, i, *shape.initStride, panel.column, v);
}

Value GemmEmitter::getStart(const Panel &panel, Value row, int64_t i,
                            int64_t v) {
  if (!shape.initStride)
    return operands.bias ? loadColumns(panel, operands.bias, v)
                         : createZero(vectorType);
  Value init = loadPanelPart(panel, arena, getInitPlace(panel, row, i, v), v);
  if (!operands.bias)
    return init;
  return arith::AddFOp::create(b, loadColumns(panel, operands.bias, v), init);
}

Value GemmEmitter::getPanelRow(const Panel &panel, const GemmInput &part,
                               Value k) {
  return addIndex(b, panel.weights,
                  mulIndex(b, addIndex(b, k, part.first),
                           shape.tile.getPanelWidth(target)));
}

Value GemmEmitter::addProduct(Element element, Value column, Value sum) {
  if (!element.lane)
    return vector::FMAOp::create(b, element.numbers, column, sum);
  return LLVM::CallIntrinsicOp::create(
             b, sum.getType(),
             b.getStringAttr(target.getLaneIntrinsics().getFma()),
             {sum, column, element.numbers, createLane(*element.lane)})
      .getResult(0);
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

/// Returns the prefetches of a tile of `rows` rows that begins at `row`. If two
/// panels and the rows fit in the L2 cache, the tiles of a panel prefetch the
/// next panel together. If they do not fit, or if there is one tile, each tile
/// prefetches its own weights. A tile of very few rows is bound by memory
/// anyway and prefetches nothing.
GemmEmitter::Ahead GemmEmitter::getAhead(const Panel &panel, Value row,
                                         int64_t rows) {
  if (!panel.masks.empty() || target.hasPlanes(shape.precision))
    return {};
  const int64_t tiles =
      std::min(shape.rows, shape.getBlockRows()) / shape.getTileRows();
  const int64_t width = shape.tile.getPanelWidth(target);
  const int64_t size = width * shape.getRowWords();
  const bool isLarge = 4 * size > target.getL2Bytes() / 4;
  if (shape.rows <= shape.getTileRows() || (tiles > 1 && isLarge)) {
    if (rows < kFewestRowsAhead)
      return {};
    return {arith::ConstantIndexOp::create(b, kFloatsAhead), getVectors(panel),
            /*isNear=*/true};
  }
  if (tiles < 2 || isLarge || shape.columns <= width)
    return {};
  const int64_t vectors = llvm::divideCeil(shape.tile.vectors, tiles);
  Value tile = remIndex(b, divIndex(b, row, shape.getTileRows()),
                        llvm::divideCeil(shape.tile.vectors, vectors));
  return {getDistance(panel, mulIndex(b, tile, vectors)), vectors,
          /*isNear=*/false};
}

/// Multiplies column `k` of some rows, given as vectors by `elements`, with the
/// panels and adds the results to `sums`, which has one entry per row, panel
/// and vector.
void GemmEmitter::addProducts(Panels panels, const GemmInput &part, Value k,
                              ArrayRef<std::function<Element()>> elements,
                              SmallVectorImpl<Value> &sums,
                              const Ahead &ahead) {
  const int64_t vectorsPerLine =
      target.isScalable() ? 1 : llvm::divideCeil(kLineFloats, length);
  SmallVector<Value> columns;
  for (const Panel &panel : panels) {
    Value at = getPanelRow(panel, part, k);
    for (int64_t v = 0; v < ahead.vectors; v += vectorsPerLine)
      memref::PrefetchOp::create(
          b, weights, addVectors(addIndex(b, at, ahead.distance), v),
          /*isWrite=*/false, /*localityHint=*/ahead.isNear ? 3 : 2,
          /*isDataCache=*/true);
    for (int64_t v = 0; v < getVectors(panel); ++v)
      columns.push_back(loadFactors(panel, at, v));
  }
  auto *sum = sums.begin();
  for (const auto &getElement : elements) {
    Element element = getElement();
    for (Value column : columns) {
      *sum = addProduct(element, column, *sum);
      ++sum;
    }
  }
}

/// addProducts() of elements in memory. Rows with a column stride share cache
/// lines, so the next line is prefetched: hardware prefetchers do not predict
/// it.
void GemmEmitter::addColumn(Panels panels, const GemmInput &part, Value k,
                            ArrayRef<Value> places,
                            SmallVectorImpl<Value> &sums, const Ahead &ahead) {
  Value column = mulIndex(b, k, part.columnStride);
  if (part.columnStride != 1)
    memref::PrefetchOp::create(
        b, arena, addIndex(b, addIndex(b, places.front(), column), kLineFloats),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  addProducts(panels, part, k,
              llvm::map_to_vector(places,
                                  [&](Value place) -> std::function<Element()> {
                                    return [=] {
                                      return Element{loadElement(
                                          addIndex(b, place, column))};
                                    };
                                  }),
              sums, ahead);
}

/// addProducts() for the columns from `k` on that fill one register.
void GemmEmitter::addLanes(Panels panels, const GemmInput &part, Value k,
                           ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                           const Ahead &ahead) {
  const int64_t lanes = target.getRowLanes();
  SmallVector<Value> rows = llvm::map_to_vector(
      places, [&](Value place) { return loadLanes(place, k); });
  for (int64_t lane = 0; lane < lanes; ++lane)
    addProducts(panels, part, addIndex(b, k, lane),
                llvm::map_to_vector(rows,
                                    [&](Value row) -> std::function<Element()> {
                                      return [=] { return getLane(row, lane); };
                                    }),
                sums, ahead);
}

/// Multiplies one factor and accumulates column by column: the order of an
/// accumulator's terms does not depend on the number of rows.
SmallVector<Value> GemmEmitter::multiply(Panels panels, size_t factor,
                                         Value row, int64_t rows,
                                         ValueRange sums) {
  const GemmInput &part = factors[factor];
  SmallVector<Value> places;
  for (int64_t i = 0; i < rows; ++i)
    places.push_back(getRow(part, factorPlaces[factor], row, i));
  const Ahead ahead = getAhead(panels.front(), row, rows);
  const int64_t lanes = target.getRowLanes() / shape.getWordsPerWord();
  const int64_t inLanes =
      lanes > 1 && part.columnStride == 1 ? part.depth / lanes * lanes : 0;
  SmallVector<Value> result = llvm::to_vector(sums);
  auto forEachColumn =
      [&](int64_t begin, int64_t end, int64_t step,
          function_ref<void(Value, SmallVectorImpl<Value> &)> body) {
        if (begin == end)
          return;
        auto loop = scf::ForOp::create(
            b, arith::ConstantIndexOp::create(b, begin),
            arith::ConstantIndexOp::create(b, end),
            arith::ConstantIndexOp::create(b, step), result,
            [&](OpBuilder &, Location, Value k, ValueRange before) {
              SmallVector<Value> next = llvm::to_vector(before);
              body(k, next);
              scf::YieldOp::create(b, next);
            });
        result = loop.getResults();
      };
  forEachColumn(0, inLanes, lanes, [&](Value k, SmallVectorImpl<Value> &next) {
    addLanes(panels, part, k, places, next, ahead);
  });
  forEachColumn(inLanes, part.depth, 1,
                [&](Value k, SmallVectorImpl<Value> &next) {
                  if (factor == 0)
                    for (const Panel &panel : panels)
                      prefetchInit(panel, row, rows, k);
                  addColumn(panels, part, k, places, next, ahead);
                });
  return result;
}

/// Applies the epilogue to an accumulator and stores the result.
void GemmEmitter::end(const Panel &panel, Value row, int64_t i, int64_t v,
                      Value sum) {
  sum = finishSum(panel, row, i, v, sum);
  SmallVector<Value> values = {sum};
  for (const auto &input : operands.epilogueInputs)
    values.push_back(
        input.stride ? loadPanelPart(panel, arena,
                                     getPlace(input.first.offset, row, i,
                                              *input.stride, panel.column, v),
                                     v)
                     : loadColumns(panel, input.first, v));
  sum = computeOnVectors(b, *operands.epilogue, values, vectorType).front();
  storePanelPart(
      panel, sum,
      getPlace(operands.output, row, i, shape.outputStride, panel.column, v),
      v);
}

void GemmEmitter::emitTile(Panels panels, Value row, int64_t rows) {
  auto forEachSum =
      [&](function_ref<void(const Panel &, int64_t, int64_t)> body) {
        for (int64_t i = 0; i < rows; ++i)
          for (const Panel &panel : panels)
            for (int64_t v = 0; v < getVectors(panel); ++v)
              body(panel, i, v);
      };
  for (const Panel &panel : panels)
    if (panel.masks.empty())
      prefetch(panel, row, rows);
  SmallVector<Value> sums;
  forEachSum([&](const Panel &panel, int64_t i, int64_t v) {
    sums.push_back(beginSum(panel, row, i, v));
  });
  for (size_t factor = 0; factor < factors.size(); ++factor)
    sums = multiply(panels, factor, row, rows, sums);
  auto *sum = sums.begin();
  forEachSum([&](const Panel &panel, int64_t i, int64_t v) {
    end(panel, row, i, v, *sum++);
  });
}

GemmEmitter::Panel GemmEmitter::getPanel(Value number) {
  const int64_t width = shape.tile.getPanelWidth(target);
  return {
      mulIndex(b, number, width),
      addIndex(b, operands.panels, mulIndex(b, number, width * shape.depth)),
      width};
}

int64_t GemmEmitter::getPanelsAtOnce() const {
  const int64_t sums = shape.getTileRows() * shape.tile.vectors;
  return shape.rows > shape.getTileRows()
             ? 1
             : llvm::divideCeil(kSumsInFlight, sums);
}

void GemmEmitter::emitPanels(int64_t together,
                             function_ref<void(Panels)> body) {
  if (target.isScalable())
    return emitStrips(together, body);
  const int64_t width = shape.tile.getPanelWidth(target);
  const int64_t whole = shape.columns / width;
  const int64_t inGroups = whole / together * together;
  forEachApart(b, panelThreads, inGroups, together, [&](Value first) {
    body(llvm::map_to_vector(llvm::seq(together), [&](int64_t i) {
      return getPanel(addIndex(b, first, i));
    }));
  });
  if (inGroups * width >= shape.columns)
    return;
  forEachApart(b, panelThreads, 1, 1, [&](Value) {
    SmallVector<Panel> rest;
    for (int64_t begin = inGroups * width; begin < shape.columns;
         begin += width) {
      rest.push_back(
          getPanel(arith::ConstantIndexOp::create(b, begin / width)));
      rest.back().columns = std::min(width, shape.columns - begin);
    }
    if (together == 1)
      for (const Panel &panel : rest)
        body(panel);
    else
      body(rest);
  });
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
    emitPanels(getPanelsAtOnce(), [&](Panels panels) {
      if (whole <= tileRows)
        emitTile(panels, first, tileRows);
      else
        forEachStep(b, first, last, tileRows,
                    [&](Value row) { emitTile(panels, row, tileRows); });
      if (rest && whole <= block)
        emitTile(panels, arith::ConstantIndexOp::create(b, whole), rest);
    });
  });
  if (rest && whole > block) {
    prepareRows(arith::ConstantIndexOp::create(b, 0),
                arith::ConstantIndexOp::create(b, whole),
                arith::ConstantIndexOp::create(b, shape.rows));
    emitPanels(1, [&](Panels panels) {
      emitTile(panels, arith::ConstantIndexOp::create(b, whole), rest);
    });
  }
}

/// As emit(), for some of the tiles. A tile's result does not depend on the
/// other tiles.
void GemmEmitter::emitPart(Value beginTile, Value endTile) {
  const int64_t tileRows = shape.getTileRows();
  const int64_t whole = shape.getNumWholeTiles() * tileRows;
  const int64_t block = shape.getBlockRows();
  Value begin = mulIndex(b, beginTile, tileRows),
        end = mulIndex(b, endTile, tileRows);
  auto emitWhole = [&](Panels panels, Value first, Value last) {
    forEachStep(b, first, last, tileRows,
                [&](Value row) { emitTile(panels, row, tileRows); });
  };
  auto emitRest = [&](Panels panels) {
    emitTile(panels, arith::ConstantIndexOp::create(b, whole),
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
    return emitPanels(1, [&](Panels panels) {
      emitWhole(panels, begin, end);
      ifRest([&] { emitRest(panels); });
    });
  }
  forEachStep(b, begin, end, block, [&](Value first) {
    Value last = arith::MinSIOp::create(b, addIndex(b, first, block), end);
    prepareRows(begin, first, last);
    emitPanels(1, [&](Panels panels) { emitWhole(panels, first, last); });
  });
  ifRest([&] {
    prepareRows(begin, end, arith::ConstantIndexOp::create(b, shape.rows));
    emitPanels(1, emitRest);
  });
}

/// Fraction of the time that `threads` threads are busy if they share `count`
/// equal work items.
static double getBalance(int64_t count, int64_t threads) {
  return double(count) / double(llvm::alignTo(count, threads));
}

void GemmEmitter::emitShared() {
  const int64_t threads = target.getThreads();
  const int64_t tiles = shape.getNumWholeTiles();
  const int64_t panels =
      llvm::divideCeil(shape.columns, shape.tile.getPanelWidth(target));
  const int64_t groups = llvm::divideCeil(panels, getPanelsAtOnce());
  // If threads share the tiles, all read all weights; if they share the panels,
  // all read all rows. The rows after the whole tiles cannot be shared.
  const bool fewTiles = tiles < 2 * threads;
  const double byTiles = getBalance(tiles, threads),
               byPanels = getBalance(groups, threads);
  const bool sharesPanels =
      !target.isScalable() &&
      tiles * shape.getTileRows() <= shape.getBlockRows() &&
      (byPanels > byTiles + 0.05 ||
       (byPanels > byTiles - 0.05 && (fewTiles || shape.rows < shape.columns)));
  if (!sharesPanels)
    return forEachShare(b, threads, tiles,
                        [&](Value begin, Value end) { emitPart(begin, end); });
  panelThreads = threads;
  emit();
}

std::unique_ptr<GemmEmitter>
kernel::createGemmEmitter(const GemmOperands &operands, TargetAttr target,
                          const ImplicitLocOpBuilder &b) {
  switch (operands.shape.precision) {
  case Precision::BF16:
    return createBf16GemmEmitter(operands, target, b);
  case Precision::Int8:
    return createInt8GemmEmitter(operands, target, b);
  case Precision::Int16:
    return createInt16GemmEmitter(operands, target, b);
  case Precision::FP16:
    return createFp16GemmEmitter(operands, target, b);
  default:
    return std::make_unique<GemmEmitter>(operands, target, b);
  }
}
