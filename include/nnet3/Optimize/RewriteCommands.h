//===- RewriteCommands.h - Patterns on commands -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_REWRITECOMMANDS_H
#define NNET3_OPTIMIZE_REWRITECOMMANDS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::nnet3 {

/// Applies `patterns` to each command once, but not to commands that they
/// create, because each pass has its own switch. Returns the number of commands
/// that were erased or modified.
int64_t rewriteCommands(ComputationOp computation, RewritePatternSet patterns);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_REWRITECOMMANDS_H
