//===- CheckCommands.h - Checks before code generation ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_CHECKCOMMANDS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_CHECKCOMMANDS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Checks properties that verifiers cannot: that fused commands match the
/// kernels of their components, and that commands with random numbers have draw
/// numbers.
LogicalResult checkCommands(ComputationOp computation, bool device);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_CHECKCOMMANDS_H
