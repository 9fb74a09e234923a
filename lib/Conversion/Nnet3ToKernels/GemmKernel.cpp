//===- GemmKernel.cpp - Matrix products as loops over vectors -------------===//

#include "GemmKernel.h"
#include "GemmEmitter.h"
#include "ReducedGemm.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Bytes of a panel of weights that mostly stay in the second-level cache: a
/// panel of more vectors needs fewer loads, which is worth some misses.
static constexpr int64_t kPanelBytes = 1024 * 1024;
/// Bytes of rows that stay there, beside a panel, while all panels go by.
static constexpr int64_t kRowBlockBytes = 256 * 1024;
/// Bytes of a panel that is fetched while the one before it is multiplied with:
/// both have to stay in the second-level cache, beside the rows.
static constexpr int64_t kFetchedPanelBytes = 256 * 1024;
/// A sum is ready after about four cycles, and two begin in each.
static constexpr int64_t kSumsInFlight = 8;
/// Floats in a line of the cache.
static constexpr int64_t kLineFloats = 16;

/// Rows of a tile that fit into the registers, beside a vector of each panel
/// column and one for the rows' elements.
static int64_t getTileRows(const VectorTarget &target, int64_t vectors) {
  return std::min<int64_t>(12, (target.numRegisters - vectors - 1) / vectors);
}

GemmTile GemmTile::get(const VectorTarget &target, int64_t columns,
                       int64_t depth) {
  const int64_t needed = llvm::divideCeil(columns, target.length);
  GemmTile best = {getTileRows(target, 1), 1};
  double bestCost = 1e30;
  for (int64_t vectors = 1; vectors <= 6; ++vectors) {
    const int64_t rows = getTileRows(target, vectors);
    if (rows < 1)
      break;
    // Vectors multiplied in vain, and loads that do not hide behind products:
    // two of each per cycle.
    const double waste =
        double(llvm::alignTo(needed, vectors)) / double(needed);
    const double loads = double(rows + vectors) / double(rows * vectors);
    const double latency =
        std::max(1.0, double(kSumsInFlight) / double(rows * vectors));
    const double spill =
        vectors * target.length * depth * 4 > kPanelBytes ? 1.3 : 1.0;
    const double cost = waste * (1 + 0.25 * loads) * latency * spill;
    if (cost < bestCost - 1e-9) {
      best = {rows, vectors};
      bestCost = cost;
    }
  }
  return best;
}

unsigned GemmKernel::getNumPlaces() const {
  unsigned count = 2 + bias + inputs.size();
  for (ElementwiseKernelInterface step : epilogue)
    count += step.getNumKernelVectors();
  if (precision != Precision::F32)
    count += precision == Precision::Int8 ? 3 : 1;
  return count + initStride.has_value() + residualStride.has_value();
}

int64_t GemmKernel::getRowWords() const {
  int64_t words = 0;
  for (const GemmInput &input : inputs)
    words += llvm::divideCeil(input.depth, getNumbersPerWord(precision));
  return words;
}

int64_t GemmKernel::getBlockRows() const {
  const int64_t tileRows = getTileRows();
  const int64_t fitting = kRowBlockBytes / (getRowWords() * 4);
  return std::max<int64_t>(1, fitting / tileRows) * tileRows;
}

int64_t GemmKernel::getScratchRows() const {
  if (precision == Precision::F32)
    return 0;
  // Each thread has rows of its own, of which it uses a block.
  const int64_t whole = getNumWholeTiles() * getTileRows();
  return whole <= getBlockRows() || isParallel ? rows : getBlockRows();
}

int64_t GemmKernel::getScratchSize() const {
  const int64_t rowNumbers =
      precision == Precision::Int8 ? 2 * getScratchRows() : 0;
  return getScratchRows() * getScratchStride() + rowNumbers;
}

GemmEmitter::GemmEmitter(const GemmKernel &kernel, const VectorTarget &target,
                         ValueRange arguments, OpBuilder &builder, Location loc)
    : kernel(kernel), target(target), e(builder, loc), factors(kernel.inputs) {
  arena = arguments[0];
  weights = arguments[1];
  tables = arguments[2];
  unsigned next = getFirstPlace();
  weightsPlace = arguments[next++];
  if (kernel.bias)
    biasPlace = arguments[next++];
  for (ElementwiseKernelInterface step : kernel.epilogue)
    for (unsigned i = 0; i < step.getNumKernelVectors(); ++i)
      vectorPlaces.push_back(arguments[next++]);
  outputPlace = arguments[next++];
  if (kernel.initStride)
    initPlace = arguments[next++];
  if (kernel.residualStride)
    residualPlace = arguments[next++];
  for (size_t i = 0; i < kernel.inputs.size(); ++i)
    factorPlaces.push_back(arguments[next++]);
  for (; next < arguments.size(); ++next)
    furtherPlaces.push_back(arguments[next]);
}

/// Row `row` + `i`, column `column` of vector `v`.
Value GemmEmitter::getPlace(Value base, Value row, int64_t i, int64_t stride,
                            Value column, int64_t v) {
  Value place = e.add(base, e.mul(row, stride));
  return e.add(e.add(place, column), i * stride + v * target.length);
}

Value GemmEmitter::loadPart(Value memory, Value place, int64_t columns) {
  if (columns == target.length)
    return e.load(columns, memory, place);
  Value part = e.load(columns, memory, place);
  return vector::InsertStridedSliceOp::create(
      e.getBuilder(), e.getLoc(), part, e.splat(target.length, 0),
      ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1});
}

Value GemmEmitter::loadColumns(const Panel &panel, Value place, int64_t v) {
  return e.load(target.length, weights,
                e.add(e.add(place, panel.column), v * target.length));
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
    if (kernel.initStride && !beginsWithOneRow())
      prefetchRow(getInitPlace(panel, row, i, 0), /*isWrite=*/false);
    if (kernel.residualStride)
      prefetchRow(getPlace(residualPlace, row, i, *kernel.residualStride,
                           panel.column, 0),
                  /*isWrite=*/false);
    prefetchRow(
        getPlace(outputPlace, row, i, kernel.outputStride, panel.column, 0),
        /*isWrite=*/true);
  }
}

Value GemmEmitter::getInitPlace(const Panel &panel, Value row, int64_t i,
                                int64_t v) {
  if (kernel.initRows < kernel.rows) {
    row = e.remainder(e.add(row, i), kernel.initRows);
    i = 0;
  }
  return getPlace(initPlace, row, i, *kernel.initStride, panel.column, v);
}

Value GemmEmitter::getStart(const Panel &panel, Value row, int64_t v) {
  Value bias = kernel.bias ? loadColumns(panel, biasPlace, v)
                           : e.splat(target.length, 0);
  if (!beginsWithOneRow())
    return bias;
  Value init = loadPart(arena, getPlace(initPlace, row, 0, 0, panel.column, v),
                        getColumns(panel, v));
  return kernel.bias
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

Value GemmEmitter::getZeroSum() { return e.splat(target.length, 0); }

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
/// tiles of a panel fetch the next one together, while they multiply.
GemmEmitter::Ahead GemmEmitter::getAhead(Value row) {
  const int64_t tiles =
      std::min(kernel.rows, kernel.getBlockRows()) / kernel.getTileRows();
  const int64_t width = kernel.tile.getPanelWidth(target);
  const int64_t size = width * kernel.depth;
  if (tiles < 2 || kernel.columns <= width || 4 * size > kFetchedPanelBytes)
    return {};
  const int64_t vectors = llvm::divideCeil(kernel.tile.vectors, tiles);
  Value tile = e.remainder(e.divide(row, kernel.getTileRows()),
                           llvm::divideCeil(kernel.tile.vectors, vectors));
  return {e.add(e.mul(tile, vectors * target.length), size), vectors};
}

/// Adds the products of column `k` of some rows to `sums`, which has one entry
/// per row and vector.
SmallVector<Value> GemmEmitter::addProducts(Value packed, Value k,
                                            ArrayRef<Value> places,
                                            ValueRange sums,
                                            const Ahead &ahead) {
  const int64_t vectors = sums.size() / places.size();
  Value at = e.add(packed, e.mul(k, kernel.tile.getPanelWidth(target)));
  for (int64_t v = 0; v < ahead.vectors; ++v)
    e.prefetchSecondLevel(weights,
                          e.add(e.add(at, ahead.distance), v * target.length));
  SmallVector<Value> columns;
  for (int64_t v = 0; v < vectors; ++v)
    columns.push_back(
        e.load(target.length, weights, e.add(at, v * target.length)));
  SmallVector<Value> next;
  for (auto [i, place] : llvm::enumerate(places)) {
    Value element =
        e.broadcast(target.length, e.loadScalar(arena, e.add(place, k)));
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
      e.add(panel.weights, part.first * kernel.tile.getPanelWidth(target));
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
  if (kernel.initStride && !beginsWithOneRow())
    sum = arith::AddFOp::create(
        e.getBuilder(), e.getLoc(), sum,
        loadPart(arena, getInitPlace(panel, row, i, v), columns));
  unsigned nextVector = 0;
  for (ElementwiseKernelInterface step : kernel.epilogue) {
    SmallVector<Value> vectors;
    for (unsigned j = 0; j < step.getNumKernelVectors(); ++j)
      vectors.push_back(loadColumns(panel, vectorPlaces[nextVector++], v));
    sum = step.emitElementwise(e.getBuilder(), e.getLoc(), sum, vectors);
  }
  if (kernel.residualStride) {
    Value residual = loadPart(arena,
                              getPlace(residualPlace, row, i,
                                       *kernel.residualStride, panel.column, v),
                              columns);
    sum = vector::FMAOp::create(e.getBuilder(), e.getLoc(), residual,
                                e.splat(target.length, kernel.residualScale),
                                sum);
  }
  if (columns != target.length)
    sum = vector::ExtractStridedSliceOp::create(
        e.getBuilder(), e.getLoc(), sum, ArrayRef<int64_t>{0},
        ArrayRef<int64_t>{columns}, ArrayRef<int64_t>{1});
  e.store(sum, arena,
          getPlace(outputPlace, row, i, kernel.outputStride, panel.column, v));
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
  const int64_t width = kernel.tile.getPanelWidth(target);
  const int64_t whole = kernel.columns / width;
  const int64_t rest = kernel.columns % width;
  e.forEach(whole, 1, [&](Value p) {
    body({e.mul(p, width), e.add(weightsPlace, e.mul(p, width * kernel.depth)),
          width});
  });
  if (rest)
    body({e.index(whole * width),
          e.add(weightsPlace, whole * width * kernel.depth), rest});
}

void GemmEmitter::emit() {
  const int64_t tileRows = kernel.getTileRows();
  const int64_t whole = kernel.getNumWholeTiles() * tileRows;
  const int64_t rest = kernel.rows - whole;
  const int64_t block = kernel.getBlockRows();
  e.forEach(whole, block, [&](Value first) {
    Value last = whole <= block ? e.index(whole)
                                : e.min(e.add(first, block), e.index(whole));
    prepareRows(e.index(0), first,
                whole <= block ? e.index(kernel.rows) : last);
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
    prepareRows(e.index(0), e.index(whole), e.index(kernel.rows));
    emitPanels(
        [&](const Panel &panel) { emitTile(panel, e.index(whole), rest); });
  }
}

/// As emit(), for some of the tiles: each is computed in the same way whatever
/// the others are.
void GemmEmitter::emitPart(Value beginTile, Value endTile) {
  const int64_t tileRows = kernel.getTileRows();
  const int64_t whole = kernel.getNumWholeTiles() * tileRows;
  const int64_t block = kernel.getBlockRows();
  Value begin = e.mul(beginTile, tileRows), end = e.mul(endTile, tileRows);
  auto emitWhole = [&](const Panel &panel, Value first, Value last) {
    e.loop(first, last, tileRows,
           [&](Value row) { emitTile(panel, row, tileRows); });
  };
  auto emitRest = [&](const Panel &panel) {
    emitTile(panel, e.index(whole), kernel.rows - whole);
  };
  auto ifRest = [&](function_ref<void()> body) {
    if (whole < kernel.rows)
      e.ifEqual(end, e.index(whole), body);
  };
  if (whole <= block) {
    Value last = whole < kernel.rows ? e.selectEqual(end, e.index(whole),
                                                     e.index(kernel.rows), end)
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
    prepareRows(begin, end, e.index(kernel.rows));
    emitPanels(emitRest);
  });
}

int64_t GemmKernel::getFlops() const {
  int64_t products = 0;
  for (const GemmInput &input : inputs)
    products += rows * columns * input.depth;
  return 2 * products;
}

int64_t GemmKernel::getNumWholeTiles() const { return rows / getTileRows(); }

static std::unique_ptr<GemmEmitter>
createEmitter(const GemmKernel &kernel, const VectorTarget &target,
              ValueRange arguments, OpBuilder &builder, Location loc) {
  if (kernel.precision == Precision::F32)
    return std::make_unique<GemmEmitter>(kernel, target, arguments, builder,
                                         loc);
  return createReducedGemmEmitter(kernel, target, arguments, builder, loc);
}

void GemmKernel::emit(func::FuncOp function, const VectorTarget &target) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  createEmitter(*this, target, function.getArguments(), builder,
                function.getLoc())
      ->emit();
  func::ReturnOp::create(builder, function.getLoc());
}

void GemmKernel::emitPart(OpBuilder &builder, Location loc,
                          const VectorTarget &target, ValueRange arguments,
                          Value begin, Value end) const {
  createEmitter(*this, target, arguments, builder, loc)->emitPart(begin, end);
}
