//===- Extrapolate.h - Extrapolate a series of computations -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_EXTRAPOLATE_H
#define NNET3_LIB_LOOPS_EXTRAPOLATE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Extrapolates a series of computations that differ only in numbers that grow
/// linearly: makes the first one that which comes `steps` after it. Fails if
/// the first two differ otherwise; `reason` says how, and `first` is of no more
/// use. Discardable attributes of commands are dropped.
LogicalResult extrapolate(ComputationOp first, ComputationOp second,
                          int64_t steps, std::string &reason);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_EXTRAPOLATE_H
