//===- MatrixStacks.h - One matrix for those of all rounds ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_MATRIXSTACKS_H
#define NNET3_LIB_LOOPS_MATRIXSTACKS_H

#include "Rounds.h"

namespace mlir::nnet3 {

/// Whether the matrix that a command of each round makes, in rounds from the
/// run's first on to before `end`, outlives the rounds that the run uses it in.
bool outlivesRounds(const Rounds &rounds, int64_t maker, int64_t end);

/// Makes parts of one matrix of those that a command of each round allocates.
/// False, with nothing changed, if a command needs one of them whole.
bool stackMatrices(const CommandList &list, const Rounds &rounds,
                   int64_t maker);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_MATRIXSTACKS_H
