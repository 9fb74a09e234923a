//===- ReducedWeights.h - Weights of less than f32 --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_LIBRARY_REDUCEDWEIGHTS_H
#define LIB_TARGET_LIBRARY_REDUCEDWEIGHTS_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace mlir::nnet3 {

/// A matrix of weights: a row per output.
struct WeightMatrix {
  llvm::ArrayRef<float> values;
  int64_t columns;
  /// Where the values are, if not where the model has them.
  std::vector<float> copy = {};

  int64_t getRows() const { return values.size() / columns; }
  llvm::ArrayRef<float> getRow(int64_t row) const {
    return values.slice(row * columns, columns);
  }
};

/// Where panels go, in words of 32 bits, and what they have of the weights:
/// first column and number of columns of one slice behind the other.
struct PanelLayout {
  int64_t width;
  llvm::ArrayRef<int64_t> columns;
  float *dest;
  /// Whether the halves of a row of words stand apart, the first ones of all
  /// words before the second ones.
  bool planes = false;
};

/// Words in a column of panels with `numbers` of these columns in a word.
int64_t getPackedWords(llvm::ArrayRef<int64_t> columns, int64_t numbers);
/// Panels of bf16, two columns of the weights in a word.
void packBf16Panels(const WeightMatrix &weights, const PanelLayout &layout);
/// The same of fp16.
void packFp16Panels(const WeightMatrix &weights, const PanelLayout &layout);
/// Panels of integers, four columns in a word: each row of the weights divided
/// by its scale. With planes, two columns are an integer of 16 bits.
void packInt8Panels(const WeightMatrix &weights, const PanelLayout &layout);
/// Panels of integers, two columns in a word: each row of the weights divided
/// by its scale.
void packInt16Panels(const WeightMatrix &weights, const PanelLayout &layout);
/// The scale of each row. Int8: its largest absolute value is 127 times that.
/// Int16: its largest absolute value is at most 32767 times that, and the sums
/// of its positive and of its negative values are less than 2^19 times that.
void packIntegerScales(const WeightMatrix &weights, kernel::Precision precision,
                       float *dest);
/// The sum of each row's integers in some of the columns, an integer.
void packIntegerSums(const WeightMatrix &weights, kernel::Precision precision,
                     llvm::ArrayRef<int64_t> columns, float *dest);

} // namespace mlir::nnet3

#endif // LIB_TARGET_LIBRARY_REDUCEDWEIGHTS_H
