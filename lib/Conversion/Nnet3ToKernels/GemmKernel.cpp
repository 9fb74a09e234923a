//===- GemmKernel.cpp - Matrix products as loops over vectors -------------===//

#include "GemmKernel.h"
#include "VectorEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Bytes of a panel of weights that mostly stay in the second-level cache: a
/// panel of more vectors needs fewer loads, which is worth some misses.
static constexpr int64_t kPanelBytes = 1024 * 1024;
/// Bytes of rows that stay there, beside a panel, while all panels go by.
static constexpr int64_t kRowBlockBytes = 256 * 1024;
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

int64_t mlir::nnet3::getPackedSize(int64_t columns, int64_t depth,
                                   const VectorTarget &target) {
  GemmTile tile = GemmTile::get(target, columns, depth);
  return llvm::alignTo(columns, tile.getPanelWidth(target)) * depth;
}

unsigned GemmKernel::getNumPlaces() const {
  unsigned count = 2 + bias + inputs.size();
  for (ElementwiseKernelInterface step : epilogue)
    count += step.getNumKernelVectors();
  return count + initStride.has_value() + residualStride.has_value();
}

namespace {
/// Emits the body of one kernel.
class GemmEmitter {
public:
  GemmEmitter(const GemmKernel &kernel, const VectorTarget &target,
              ValueRange arguments, OpBuilder &builder, Location loc)
      : kernel(kernel), target(target), e(builder, loc) {
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
      inputPlaces.push_back(arguments[next++]);
  }

  void emit();
  void emitPart(Value beginTile, Value endTile);

private:
  /// Where a panel is: its first column, its weights, and how many columns of
  /// it the output has.
  struct Panel {
    Value column, weights;
    int64_t columns;
  };

  int64_t getBlockRows() const;
  void emitPanels(function_ref<void(const Panel &)> body);
  void emitRows(const Panel &panel, Value begin, Value end, int64_t rows);
  void emitTile(const Panel &panel, Value row, int64_t rows);
  void prefetch(const Panel &panel, Value row, int64_t rows);
  SmallVector<Value> begin(const Panel &panel, Value row, int64_t rows);
  SmallVector<Value> addProducts(Value packed, Value k, ArrayRef<Value> places,
                                 ValueRange sums);
  SmallVector<Value> multiply(const Panel &panel, size_t input, Value row,
                              int64_t rows, ValueRange sums);
  Value getRow(size_t input, Value row, int64_t i);
  void end(const Panel &panel, Value row, int64_t i, int64_t v, Value sum);
  Value loadPart(Value memory, Value place, int64_t columns);
  int64_t getVectors(const Panel &panel) const {
    return llvm::divideCeil(panel.columns, target.length);
  }
  /// Whether the sums begin with the same row everywhere, if with one.
  bool beginsWithOneRow() const { return kernel.initStride == int64_t(0); }
  /// Columns of vector `v` of a panel that the output has.
  int64_t getColumns(const Panel &panel, int64_t v) const {
    return std::min(target.length, panel.columns - v * target.length);
  }
  Value getPlace(Value base, Value row, int64_t i, int64_t stride, Value column,
                 int64_t v);

  const GemmKernel &kernel;
  const VectorTarget &target;
  VectorEmitter e;
  Value arena, weights, tables, weightsPlace, biasPlace, outputPlace, initPlace,
      residualPlace;
  SmallVector<Value> vectorPlaces, inputPlaces;
};
} // namespace

/// Row `row` + `i`, column `column` of vector `v`.
Value GemmEmitter::getPlace(Value base, Value row, int64_t i, int64_t stride,
                            Value column, int64_t v) {
  Value place = e.add(base, e.mul(row, stride));
  return e.add(e.add(place, column), i * stride + v * target.length);
}

/// A whole vector of which `columns` are read, the others zero.
Value GemmEmitter::loadPart(Value memory, Value place, int64_t columns) {
  if (columns == target.length)
    return e.load(columns, memory, place);
  Value part = e.load(columns, memory, place);
  return vector::InsertStridedSliceOp::create(
      e.getBuilder(), e.getLoc(), part, e.splat(target.length, 0),
      ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1});
}

/// Asks for the memory that the end of the tile needs: what is added to the
/// sums may come from far away, and the output may have to be fetched to be
/// written.
void GemmEmitter::prefetch(const Panel &panel, Value row, int64_t rows) {
  auto prefetchRow = [&](Value base, int64_t stride, int64_t i, bool isWrite) {
    for (int64_t column = 0; column < panel.columns; column += kLineFloats)
      e.prefetch(arena,
                 e.add(getPlace(base, row, i, stride, panel.column, 0), column),
                 isWrite);
  };
  for (int64_t i = 0; i < rows; ++i) {
    if (kernel.initStride && !beginsWithOneRow())
      prefetchRow(initPlace, *kernel.initStride, i, /*isWrite=*/false);
    if (kernel.residualStride)
      prefetchRow(residualPlace, *kernel.residualStride, i, /*isWrite=*/false);
    prefetchRow(outputPlace, kernel.outputStride, i, /*isWrite=*/true);
  }
}

/// What the sums begin with: the bias and a row that all have. Rows of their
/// own come at the end, when they have arrived.
SmallVector<Value> GemmEmitter::begin(const Panel &panel, Value row,
                                      int64_t rows) {
  SmallVector<Value> sums, first;
  const int64_t vectors = getVectors(panel);
  for (int64_t v = 0; v < vectors; ++v) {
    Value sum =
        kernel.bias
            ? e.load(target.length, weights,
                     e.add(e.add(biasPlace, panel.column), v * target.length))
            : e.splat(target.length, 0);
    if (beginsWithOneRow()) {
      Value init =
          loadPart(arena, getPlace(initPlace, row, 0, 0, panel.column, v),
                   getColumns(panel, v));
      sum = kernel.bias
                ? arith::AddFOp::create(e.getBuilder(), e.getLoc(), sum, init)
                : init;
    }
    first.push_back(sum);
  }
  for (int64_t i = 0; i < rows; ++i)
    llvm::append_range(sums, first);
  return sums;
}

/// Where row `row` + `i` of an input begins.
Value GemmEmitter::getRow(size_t input, Value row, int64_t i) {
  std::optional<int64_t> stride = kernel.inputs[input].stride;
  Value base = inputPlaces[input];
  if (stride)
    return e.add(e.add(base, e.mul(row, *stride)), i * *stride);
  Value place = e.loadScalar(tables, e.add(e.add(base, row), i));
  return arith::IndexCastOp::create(e.getBuilder(), e.getLoc(),
                                    e.getBuilder().getIndexType(), place);
}

/// Adds the products of column `k` of some rows to `sums`, which has one entry
/// per row and vector.
SmallVector<Value> GemmEmitter::addProducts(Value packed, Value k,
                                            ArrayRef<Value> places,
                                            ValueRange sums) {
  const int64_t vectors = sums.size() / places.size();
  Value at = e.add(packed, e.mul(k, kernel.tile.getPanelWidth(target)));
  SmallVector<Value> columns;
  for (int64_t v = 0; v < vectors; ++v)
    columns.push_back(
        e.load(target.length, weights, e.add(at, v * target.length)));
  SmallVector<Value> next;
  for (auto [i, place] : llvm::enumerate(places)) {
    Value element =
        e.broadcast(target.length, e.loadScalar(arena, e.add(place, k)));
    for (int64_t v = 0; v < vectors; ++v)
      next.push_back(vector::FMAOp::create(e.getBuilder(), e.getLoc(), element,
                                           columns[v], sums[i * vectors + v]));
  }
  return next;
}

/// Adds the products with one input to the sums. A tile with few sums has
/// several of each, of every second, third or further column.
SmallVector<Value> GemmEmitter::multiply(const Panel &panel, size_t input,
                                         Value row, int64_t rows,
                                         ValueRange sums) {
  const GemmInput &part = kernel.inputs[input];
  SmallVector<Value> places;
  for (int64_t i = 0; i < rows; ++i)
    places.push_back(getRow(input, row, i));
  Value packed =
      e.add(panel.weights, part.first * kernel.tile.getPanelWidth(target));
  const int64_t numSums = sums.size();
  const int64_t unroll =
      std::clamp<int64_t>(kSumsInFlight / numSums, 1, part.depth);
  const int64_t whole = part.depth / unroll * unroll;
  SmallVector<Value> carried = llvm::to_vector(sums);
  carried.append((unroll - 1) * numSums, e.splat(target.length, 0));
  ValueRange results =
      e.loop(e.index(0), e.index(whole), unroll, carried,
             [&](Value k, ValueRange all) {
               SmallVector<Value> next;
               for (int64_t u = 0; u < unroll; ++u)
                 next.append(addProducts(packed, e.add(k, u), places,
                                         all.slice(u * numSums, numSums)));
               return next;
             });
  SmallVector<Value> total = llvm::to_vector(results.take_front(numSums));
  for (int64_t i = numSums; i < unroll * numSums; ++i)
    total[i % numSums] = arith::AddFOp::create(e.getBuilder(), e.getLoc(),
                                               total[i % numSums], results[i]);
  for (int64_t k = whole; k < part.depth; ++k)
    total = addProducts(packed, e.index(k), places, total);
  return total;
}

/// Adds what is left to add to a sum, applies the epilogue and stores it.
void GemmEmitter::end(const Panel &panel, Value row, int64_t i, int64_t v,
                      Value sum) {
  const int64_t columns = getColumns(panel, v);
  if (kernel.initStride && !beginsWithOneRow())
    sum = arith::AddFOp::create(
        e.getBuilder(), e.getLoc(), sum,
        loadPart(
            arena,
            getPlace(initPlace, row, i, *kernel.initStride, panel.column, v),
            columns));
  unsigned nextVector = 0;
  for (ElementwiseKernelInterface step : kernel.epilogue) {
    SmallVector<Value> vectors;
    for (unsigned j = 0; j < step.getNumKernelVectors(); ++j)
      vectors.push_back(
          e.load(target.length, weights,
                 e.add(e.add(vectorPlaces[nextVector++], panel.column),
                       v * target.length)));
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
  for (size_t input = 0; input < kernel.inputs.size(); ++input)
    sums = multiply(panel, input, row, rows, sums);
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

/// Rows that go by all panels together.
int64_t GemmEmitter::getBlockRows() const {
  int64_t depth = 0;
  for (const GemmInput &input : kernel.inputs)
    depth += input.depth;
  const int64_t tileRows = kernel.getTileRows();
  return std::max<int64_t>(1, kRowBlockBytes / (depth * 4) / tileRows) *
         tileRows;
}

void GemmEmitter::emit() {
  const int64_t tileRows = kernel.getTileRows();
  const int64_t whole = kernel.getNumWholeTiles() * tileRows;
  const int64_t rest = kernel.rows - whole;
  const int64_t block = getBlockRows();
  e.forEach(whole, block, [&](Value first) {
    emitPanels([&](const Panel &panel) {
      if (whole <= tileRows) {
        emitTile(panel, first, tileRows);
      } else {
        Value last = whole <= block
                         ? e.index(whole)
                         : e.min(e.add(first, block), e.index(whole));
        e.loop(first, last, tileRows,
               [&](Value row) { emitTile(panel, row, tileRows); });
      }
      if (rest && whole <= block)
        emitTile(panel, e.index(whole), rest);
    });
  });
  if (rest && whole > block)
    emitPanels(
        [&](const Panel &panel) { emitTile(panel, e.index(whole), rest); });
}

/// As emit(), for some of the tiles: each is computed in the same way whatever
/// the others are.
void GemmEmitter::emitPart(Value beginTile, Value endTile) {
  const int64_t tileRows = kernel.getTileRows();
  const int64_t whole = kernel.getNumWholeTiles() * tileRows;
  const int64_t block = getBlockRows();
  Value begin = e.mul(beginTile, tileRows), end = e.mul(endTile, tileRows);
  auto emitWhole = [&](const Panel &panel, Value first, Value last) {
    e.loop(first, last, tileRows,
           [&](Value row) { emitTile(panel, row, tileRows); });
  };
  auto emitRest = [&](const Panel &panel) {
    if (whole < kernel.rows)
      e.ifEqual(end, e.index(whole),
                [&] { emitTile(panel, e.index(whole), kernel.rows - whole); });
  };
  if (whole <= block)
    return emitPanels([&](const Panel &panel) {
      emitWhole(panel, begin, end);
      emitRest(panel);
    });
  e.loop(begin, end, block, [&](Value first) {
    emitPanels([&](const Panel &panel) {
      emitWhole(panel, first, e.min(e.add(first, block), end));
    });
  });
  if (whole < kernel.rows)
    emitPanels(emitRest);
}

int64_t GemmKernel::getFlops() const {
  int64_t products = 0;
  for (const GemmInput &input : inputs)
    products += rows * columns * input.depth;
  return 2 * products;
}

int64_t GemmKernel::getTileRows() const { return std::min(tile.rows, rows); }

int64_t GemmKernel::getNumWholeTiles() const { return rows / getTileRows(); }

void GemmKernel::emit(func::FuncOp function, const VectorTarget &target) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  GemmEmitter(*this, target, function.getArguments(), builder,
              function.getLoc())
      .emit();
  func::ReturnOp::create(builder, function.getLoc());
}

void GemmKernel::emitPart(OpBuilder &builder, Location loc,
                          const VectorTarget &target, ValueRange arguments,
                          Value begin, Value end) const {
  GemmEmitter(*this, target, arguments, builder, loc).emitPart(begin, end);
}
