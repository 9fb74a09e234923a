//===- MatrixStacks.h - One matrix for those of all rounds ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_MATRIXSTACKS_H
#define NNET3_LIB_LOOPS_MATRIXSTACKS_H

#include "Rounds.h"

namespace mlir::nnet3 {

/// Whether the matrices of command `maker`, in the rounds of the run before
/// `end`, live longer than the rounds that use them.
bool outlivesRounds(const Rounds &rounds, int64_t maker, int64_t end);

/// Replaces the matrices that command `maker` of each round allocates by slices
/// of one matrix. Returns false, with nothing changed, if a command needs one
/// of them as a whole.
bool stackMatrices(CommandList &list, const Rounds &rounds, int64_t maker);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_MATRIXSTACKS_H
