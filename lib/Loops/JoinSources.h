//===- JoinSources.h - Join views of one matrix -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_JOINSOURCES_H
#define NNET3_LIB_LOOPS_JOINSOURCES_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// For commands with row tables: replaces views of the same columns of one
/// matrix by one view that covers their rows. Returns whether anything changed.
bool joinSources(ComputationOp computation);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_JOINSOURCES_H
