//===- RoundUses.h - Matrices of rounds with elided ones --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_ROUNDS_ROUNDUSES_H
#define NNET3_LIB_COMPILE_ROUNDS_ROUNDUSES_H

#include "AddedColumns.h"

namespace mlir::nnet3 {

/// Returns the row of a step in the stack of `rounds`.
int64_t getStackRow(const StepRounds &rounds, const StepList &list,
                    RowLocation location);

/// Rounds of which some can be elided.
struct RegularRounds {
  StepRounds rounds;
  /// The rounds that differ only in time.
  int64_t begin = 0, end = 0;
  /// Number of rounds that they look back.
  int64_t lookBack = 0;
  /// Only rounds before this one can be elided.
  int64_t endElided = 0;
};

/// Finds which matrices of the rounds form stacks, and the rows that the elided
/// rounds of the forward pass read; `earlier` are the rounds of earlier
/// recurrences. False if matrices cannot form stacks.
bool findForwardUses(RegularRounds &regular, ArrayRef<StepRounds> earlier,
                     const StepList &list, const RowReaders &readers,
                     bool modelDerivative);

/// Finds the rows to whose derivatives elided rounds of `rounds` add; `all` are
/// the rounds of all recurrences. False if these rows have gaps.
bool findBackwardUses(ElidedRounds &elided, const StepRounds &rounds,
                      ArrayRef<StepRounds> all, const StepList &list,
                      const RowReaders &readers, const AddedColumns &added);

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_ROUNDS_ROUNDUSES_H
