//===- WeightFormat.h - Format of packed weights ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WEIGHTFORMAT_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WEIGHTFORMAT_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// A slice of the columns of a weight matrix.
struct ColumnRange {
  int64_t first, count;
  int64_t end() const { return first + count; }
};

/// The columns that a panel row holds, in 32-bit words: slices of columns one
/// after another, each padded with zeros to whole words.
struct WeightFormat {
  Precision precision = Precision::F32;
  SmallVector<ColumnRange, 2> slices;
  /// The measured error of the output with these weights; may be null.
  FloatAttr error = {};

  /// Returns the format of weights of `columns` columns, of which `used` lists
  /// the slices that are multiplied with separate inputs. Uses all columns in
  /// order if each slice then starts at a word, so that other matmuls with
  /// these weights can share the panels.
  static WeightFormat get(Precision precision, int64_t columns,
                          ArrayRef<ColumnRange> used);

  int64_t getWords() const;
  /// Returns the word in which column `first` starts.
  int64_t getWord(int64_t first) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WEIGHTFORMAT_H
