//===- JoinSources.h - One source for several views -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_JOINSOURCES_H
#define NNET3_LIB_LOOPS_JOINSOURCES_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Commands with row tables that name views of the same columns of one matrix
/// name one view with the rows of all of these. Returns whether there are any.
bool joinSources(ComputationOp computation);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_JOINSOURCES_H
