//===- Storage.h - Storage that matrices share ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_STORAGE_H
#define NNET3_LIB_LOOPS_STORAGE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Frees each matrix whose storage another one takes over after its last use,
/// and allocates the other one. Which storage a matrix gets can differ from
/// round to round; without that, rounds are alike. Returns whether anything
/// changed.
bool splitStorage(ComputationOp computation);

/// Replaces matrices of one size by one matrix where they can share storage.
/// Matrices of loops are allocated before the loop.
void joinStorage(ComputationOp computation);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_STORAGE_H
