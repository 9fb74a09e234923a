//===- UnrollLoops.h - Write the rounds of loops one by one -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_UNROLLLOOPS_H
#define NNET3_OPTIMIZE_UNROLLLOOPS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Writes the rounds of all loops one behind the other. Returns the number of
/// loops.
int64_t unrollLoops(ComputationOp computation);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_UNROLLLOOPS_H
