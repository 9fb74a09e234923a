//===- FirstWrites.h - Accumulations that may overwrite ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_FIRSTWRITES_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_FIRSTWRITES_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::nnet3 {

/// The backprop commands whose first accumulation can be a plain store, and the
/// zero-fills that remain necessary.
class FirstWrites {
public:
  /// Rows of a matrix.
  struct Rows {
    int64_t first, count;
  };

  /// `mayWrite` tells for a command that adds to the derivative of its input
  /// whether its kernel can write the whole derivative instead.
  FirstWrites(ComputationOp computation,
              function_ref<bool(BackpropOp)> mayWrite);

  /// Whether the command must write the derivative of its input, not add to it.
  bool writes(BackpropOp op) const { return writers.contains(op); }
  /// The rows of a matrix that must be zero-filled.
  ArrayRef<Rows> getZeros(AllocMatrixZeroedOp op) const {
    return zeros.find(op)->second;
  }

private:
  DenseSet<Operation *> writers;
  DenseMap<Operation *, SmallVector<Rows>> zeros;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_FIRSTWRITES_H
