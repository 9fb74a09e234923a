//===- ArenaPlan.h - Where a computation's matrices lie ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ARENAPLAN_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ARENAPLAN_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// Floats that nobody needs but that are written or read nevertheless.
struct Padding {
  DenseMap<Value, int64_t> matrices; ///< behind the memory of each
  int64_t end = 0;                   ///< behind the arena
};

/// A matrix at a place of the arena.
struct ArenaRows {
  int64_t place, rows, columns, stride;
};

/// Places for all matrices of a computation in one arena. Matrices that exist
/// at the same time do not overlap. Inputs exist from the beginning of the
/// computation, and outputs to its end. The matrices of a loop's body have the
/// same places in all rounds. While a matrix is compressed, its place is free.
/// Numbers count floats.
class ArenaPlan {
public:
  /// `reserved` floats at the beginning belong to no matrix.
  ArenaPlan(ComputationOp computation, int64_t reserved,
            const Padding &padding = Padding());

  int64_t getSize() const { return size; }
  /// Where the first element of a matrix is, of a view of one, or of one that
  /// is compressed. Views that move are where they are in the loop's round.
  int64_t getOffset(Value value) const;
  /// The round of the loop whose commands are converted.
  int64_t getRound() const { return round; }
  void setRound(int64_t number) { round = number; }

private:
  DenseMap<Value, int64_t> offsets;
  int64_t size = 0, round = 0;
};

/// Distance of the rows of a matrix or view.
int64_t getRowStride(Value matrix);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_ARENAPLAN_H
