//===- FirstWrites.h - Sums that need not begin with zeros ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_FIRSTWRITES_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_FIRSTWRITES_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::nnet3 {

/// The backward passes of a computation that add to zeros and may write
/// instead, and which zeros nobody reads then.
class FirstWrites {
public:
  /// Rows of a matrix.
  struct Rows {
    int64_t first, count;
  };

  /// `mayWrite` tells of which commands that add to the derivative of their
  /// input there is code that writes all of it.
  FirstWrites(ComputationOp computation,
              function_ref<bool(BackpropOp)> mayWrite);

  /// Whether the command has to write all of the derivative of its input.
  bool writes(BackpropOp op) const { return writers.contains(op); }
  /// The rows of a matrix that have to be zero at first.
  ArrayRef<Rows> getZeros(AllocMatrixZeroedOp op) const {
    return zeros.find(op)->second;
  }

private:
  DenseSet<Operation *> writers;
  DenseMap<Operation *, SmallVector<Rows>> zeros;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_FIRSTWRITES_H
