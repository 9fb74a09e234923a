//===- GemmShape.cpp - Shapes of matmuls on packed weights ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/GemmShape.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Maximum number of rows at distances of whole pages whose elements of one
/// column fit in the L1 cache at once (eight ways of 4 KiB).
static constexpr int64_t kRowsAtPages = 8, kPageFloats = 1024;
/// Largest relative cost of a multiply-add in a tile with enough accumulators.
static constexpr double kGoodCost = 1.2;

/// Rows of a tile whose accumulators fit in the registers, beside one vector
/// per panel column and one for the rows' elements, or one per row. Formats
/// that are unpacked need two such vectors of columns or rows at a time, one of
/// the other factor, and one for a product.
static int64_t getTileRows(kernel::TargetAttr target, Precision precision,
                           int64_t vectors) {
  if (target.unpacks(precision)) {
    int64_t rows = 12;
    while (rows > 0 && rows * vectors + 2 * std::min(rows, vectors) + 4 >
                           target.getVectorRegisters())
      --rows;
    return rows;
  }
  // A multiply without accumulation needs a register for the product.
  const int64_t free =
      target.getVectorRegisters() - vectors - target.multipliesPairs(precision);
  const int64_t rows =
      target.getRowLanes() > 1 ? free / (vectors + 1) : (free - 1) / vectors;
  return std::min<int64_t>(12, rows);
}

/// Relative cost of a multiply-add in a tile: includes loads that are not
/// hidden behind multiply-adds (two of each per cycle) and the latency of
/// dependent multiply-adds.
static double getCost(int64_t rows, int64_t vectors) {
  const double sums = double(rows * vectors);
  return (1 + 0.25 * double(rows + vectors) / sums) *
         std::max(1.0, double(kSumsInFlight) / sums);
}

GemmTile GemmTile::shareOut(int64_t count) const {
  GemmTile best = *this;
  double bestCost = 1e30;
  for (int64_t height = rows; count > rows && 2 * height > rows; --height) {
    const int64_t rest = count % height;
    double cost = double(count - rest) * getCost(height, vectors);
    if (rest > 0)
      cost += double(rest) * getCost(rest, vectors);
    // If costs are equal, lower tiles share the rows more evenly.
    if (cost < bestCost + 1e-9) {
      best.rows = height;
      bestCost = cost;
    }
  }
  return best;
}

/// Chooses the cheapest tile for an output of `columns` columns. With `height`,
/// some tiles have only that many rows and must still have enough accumulators;
/// returns nothing if no tile does.
static std::optional<GemmTile> chooseTile(kernel::TargetAttr target,
                                          Precision precision, int64_t columns,
                                          int64_t depth,
                                          std::optional<int64_t> height) {
  const int64_t length = target.getPanelVectorLength();
  const int64_t needed = llvm::divideCeil(columns, length);
  const int64_t step = target.widens(precision) ? 2 : 1;
  std::optional<GemmTile> best;
  double bestCost = 1e30;
  for (int64_t vectors = step; vectors <= 6; vectors += step) {
    const int64_t rows = getTileRows(target, precision, vectors);
    if (rows < height.value_or(1))
      break;
    const double product = getCost(height.value_or(rows), vectors);
    if (height && product > kGoodCost)
      continue;
    // Share of vectors past the last column.
    const double waste =
        double(llvm::alignTo(needed, vectors)) / double(needed);
    // A panel should mostly stay in the L2 cache; a wider one needs fewer
    // loads, which is worth some misses.
    const double spill =
        vectors * length * depth * 4 > target.getL2Bytes() ? 1.3 : 1.0;
    const double cost = waste * product * spill;
    if (cost < bestCost - 1e-9) {
      best = {rows, vectors};
      bestCost = cost;
    }
  }
  return best;
}

GemmTile GemmTile::get(kernel::TargetAttr target, Precision precision,
                       int64_t columns, int64_t depth, int64_t fewRows) {
  if (int64_t width = target.getPanelColumns()) {
    const int64_t vectors = width / target.getPanelVectorLength();
    return {std::max<int64_t>(1, getTileRows(target, precision, vectors)),
            vectors};
  }
  const int64_t step = target.widens(precision) ? 2 : 1;
  const GemmTile best =
      chooseTile(target, precision, columns, depth, /*height=*/std::nullopt)
          .value_or(GemmTile{getTileRows(target, precision, step), step});
  // At most the rows of two tiles count as few rows.
  if (fewRows <= best.rows || fewRows > 2 * best.rows)
    return best;
  return chooseTile(target, precision, columns, depth,
                    std::min(fewRows, kRowsAtPages))
      .value_or(best);
}

void GemmShape::shareOutRows() {
  for (const GemmInput &input : inputs)
    if (!convertsRows(precision) && input.stride.value_or(1) % kPageFloats == 0)
      tile.rows = std::min(tile.rows, kRowsAtPages);
  tile = tile.shareOut(rows);
}

int64_t GemmShape::getRowWords() const {
  const int64_t numbers =
      convertsRows(precision) ? getNumbersPerWord(precision) : 1;
  int64_t words = 0;
  for (const GemmInput &input : inputs)
    words += llvm::divideCeil(input.depth, numbers);
  return words * getWordsPerWord();
}

int64_t GemmShape::getBlockRows() const {
  const int64_t tileRows = getTileRows();
  // Rows that stay in the L2 cache, beside a panel, while all panels are read.
  const int64_t fitting = target.getL2Bytes() / 4 / (getRowWords() * 4);
  return std::max<int64_t>(1, fitting / tileRows) * tileRows;
}

int64_t GemmShape::getScratchRows() const {
  if (!convertsRows(precision))
    return 0;
  // Each thread has its own rows and uses a block of them.
  const int64_t whole = getNumWholeTiles() * getTileRows();
  return whole <= getBlockRows() || isParallel ? rows : getBlockRows();
}

int64_t GemmShape::getScratchSize() const {
  const int64_t rowNumbers =
      hasIntegers(precision) ? (target.widens(precision) ? 3 : 2) : 0;
  return getScratchRows() * (getScratchStride() + rowNumbers);
}

int64_t GemmShape::getFlops() const {
  int64_t products = 0;
  for (const GemmInput &input : inputs)
    products += rows * columns * input.depth;
  return 2 * products;
}
