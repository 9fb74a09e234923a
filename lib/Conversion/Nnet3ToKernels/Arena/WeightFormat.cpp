//===- WeightFormat.cpp - Format of packed weights ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WeightFormat.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

WeightFormat WeightFormat::get(Precision precision, int64_t columns,
                               ArrayRef<ColumnRange> used) {
  const int64_t numbers = getNumbersPerWord(precision);
  WeightFormat format = {precision, {{0, columns}}};
  if (!llvm::all_of(used, [&](ColumnRange range) {
        return range.first % numbers == 0 &&
               (range.end() % numbers == 0 || range.end() == columns);
      }))
    format.slices.assign(used.begin(), used.end());
  return format;
}

static int64_t getWordsOf(int64_t columns, Precision precision) {
  return llvm::divideCeil(columns, getNumbersPerWord(precision));
}

int64_t WeightFormat::getWords() const {
  int64_t words = 0;
  for (ColumnRange slice : slices)
    words += getWordsOf(slice.count, precision);
  return words;
}

int64_t WeightFormat::getWord(int64_t first) const {
  int64_t words = 0;
  for (ColumnRange slice : slices) {
    if (slice.first <= first && first < slice.end())
      return words + (first - slice.first) / getNumbersPerWord(precision);
    words += getWordsOf(slice.count, precision);
  }
  llvm_unreachable("a column that is not packed");
}
