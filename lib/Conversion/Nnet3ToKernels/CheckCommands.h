//===- CheckCommands.h - What code can be made of ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_CHECKCOMMANDS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_CHECKCOMMANDS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Checks what the verifiers cannot: fused commands against what the kernels of
/// their components compute, and that commands that draw random numbers have
/// the numbers of their draws.
LogicalResult checkCommands(ComputationOp computation, bool device);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_CHECKCOMMANDS_H
