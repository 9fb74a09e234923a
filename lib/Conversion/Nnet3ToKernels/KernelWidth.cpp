//===- KernelWidth.cpp - How many columns a thread takes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelWidth.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The most that a thread reads at once.
static constexpr int64_t kWidth = 4;
/// Below that, a device would have idle threads.
static constexpr int64_t kFewestElements = int64_t(1) << 15;

static bool areMultiples(ArrayRef<int64_t> numbers) {
  return llvm::all_of(numbers, [](int64_t n) { return n % kWidth == 0; });
}

static bool isMultiple(std::optional<int64_t> number) {
  return !number || *number % kWidth == 0;
}

/// Whether the rows at distance `stride` from `place`, or those of the table
/// there, are at multiples.
static bool areRowsMultiples(std::optional<int64_t> stride, int64_t place,
                             int64_t rows, const RowTables &tables) {
  if (stride)
    return *stride % kWidth == 0 && place % kWidth == 0;
  return llvm::all_of(tables.getValues().slice(place, rows), [](int32_t row) {
    return row == -1 || row % kWidth == 0;
  });
}

static bool canWiden(const RowKernel &kernel, ArrayRef<int64_t> places,
                     const RowTables &tables) {
  const unsigned numVectors = kernel.getNumVectors();
  if (kernel.columns % kWidth != 0 ||
      !areMultiples(places.take_front(numVectors)))
    return false;
  ArrayRef<int64_t> rest = places.drop_front(numVectors);
  return kernel.rows * kernel.columns >= kFewestElements &&
         areRowsMultiples(kernel.destStride, rest[0], kernel.rows, tables) &&
         (rest.size() == 1 ||
          areRowsMultiples(kernel.sourceStride, rest[1], kernel.rows, tables));
}

static bool canWiden(const EpilogueKernel &kernel, ArrayRef<int64_t> places) {
  if (!kernel.depths.empty())
    return areMultiples(kernel.depths) && kernel.weightsStride % kWidth == 0 &&
           areMultiples(places.take_front(2 * kernel.depths.size()));
  return kernel.rows * kernel.columns >= kFewestElements &&
         areMultiples({kernel.columns, kernel.period, kernel.inputStride,
                       kernel.outputStride}) &&
         isMultiple(kernel.initStride) && isMultiple(kernel.residualStride) &&
         areMultiples(places);
}

static bool canWiden(const SpliceKernel &kernel, ArrayRef<int64_t> places) {
  return hasHalves(kernel.precision) ||
         (kernel.rows * kernel.columns * kernel.parts >= kFewestElements &&
          areMultiples(
              {kernel.columns, kernel.rowDistance, kernel.batchDistance}) &&
          areMultiples(places));
}

void mlir::nnet3::setWidth(RowKernel &kernel, ArrayRef<int64_t> places,
                           const RowTables &tables) {
  if (canWiden(kernel, places, tables))
    kernel.width = kWidth;
}

void mlir::nnet3::setWidth(EpilogueKernel &kernel, ArrayRef<int64_t> places) {
  if (canWiden(kernel, places))
    kernel.width = kWidth;
}

void mlir::nnet3::setWidth(SpliceKernel &kernel, ArrayRef<int64_t> places) {
  if (canWiden(kernel, places))
    kernel.width = kWidth;
}
