//===- ArenaPlan.h - Layout of a computation's matrices ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ARENAPLAN_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ARENAPLAN_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// Padding that kernels may read or write past the end of matrices.
struct Padding {
  DenseMap<Value, int64_t> matrices; ///< floats after each matrix
  int64_t end = 0;                   ///< floats after the arena
};

/// A matrix at an offset of the arena.
struct ArenaRows {
  int64_t place, rows, columns, stride;
};

/// Assigns offsets in one arena to all matrices of a computation. Matrices
/// whose lifetimes overlap do not share memory. Inputs are live from the start
/// of the computation, outputs to its end. The matrices of a loop's body have
/// the same offsets in all rounds. While a matrix is compressed, its memory is
/// free; signs live until the decompressed matrix is freed. Sizes and offsets
/// are in floats.
class ArenaPlan {
public:
  /// The first `reserved` floats of the arena belong to no matrix.
  ArenaPlan(ComputationOp computation, int64_t reserved,
            const Padding &padding = Padding());

  int64_t getSize() const { return size; }
  /// Returns the offset of the first element of a matrix, a view, or a
  /// compressed matrix. For views that move in a loop, this is the offset in
  /// the round getRound().
  int64_t getOffset(Value value) const;
  /// The round of the loop whose commands are converted.
  int64_t getRound() const { return round; }
  void setRound(int64_t number) { round = number; }

private:
  DenseMap<Value, int64_t> offsets;
  int64_t size = 0, round = 0;
};

/// Row stride of a matrix or view.
int64_t getRowStride(Value matrix);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ARENAPLAN_H
