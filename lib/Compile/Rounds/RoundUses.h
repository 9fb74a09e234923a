//===- RoundUses.h - Matrices of rounds with elided ones --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_ROUNDS_ROUNDUSES_H
#define NNET3_LIB_COMPILE_ROUNDS_ROUNDUSES_H

#include "RowReaders.h"
#include "nnet3/Compile/StepRounds.h"

namespace mlir::nnet3 {

/// Returns the row of a step in the stack of `rounds`.
int64_t getStackRow(const StepRounds &rounds, const StepList &list,
                    RowLocation location);

/// Finds which matrices of `rounds` form stacks, and the rows that the elided
/// rounds read or to whose derivatives they add; `earlier` are the rounds of
/// earlier recurrences. False if the matrices cannot form stacks, or if these
/// rows have gaps.
bool findRoundUses(StepRounds &rounds, ArrayRef<StepRounds> earlier,
                   const StepList &list, const RowReaders &readers,
                   bool modelDerivative);

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_ROUNDS_ROUNDUSES_H
