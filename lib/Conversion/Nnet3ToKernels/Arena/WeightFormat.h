//===- WeightFormat.h - How the weights of a product are packed -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WEIGHTFORMAT_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WEIGHTFORMAT_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// Some columns of a matrix of weights.
struct ColumnRange {
  int64_t first, count;
  int64_t end() const { return first + count; }
};

/// Which columns there are in a row of a panel, in words of 32 bits: one
/// stretch behind the other, each filled up with zeros to whole words.
struct WeightFormat {
  Precision precision = Precision::F32;
  SmallVector<ColumnRange, 2> stretches;
  /// The measured error of the output with these weights; may be null.
  FloatAttr error = {};

  /// The format for weights of `columns` columns of which some are multiplied
  /// with inputs of their own. All weights in order where each of these begins
  /// at a word, so that other products with the same weights can have them too.
  static WeightFormat get(Precision precision, int64_t columns,
                          ArrayRef<ColumnRange> used);

  int64_t getWords() const;
  /// The word of column `first`, at which one begins.
  int64_t getWord(int64_t first) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WEIGHTFORMAT_H
