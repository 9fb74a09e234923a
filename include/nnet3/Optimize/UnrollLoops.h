//===- UnrollLoops.h - Unroll loops of computations -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_UNROLLLOOPS_H
#define NNET3_OPTIMIZE_UNROLLLOOPS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Unrolls all loops completely. Returns the number of loops.
int64_t unrollLoops(ComputationOp computation);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_UNROLLLOOPS_H
