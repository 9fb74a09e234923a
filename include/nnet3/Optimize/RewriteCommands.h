//===- RewriteCommands.h - Patterns on commands -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_REWRITECOMMANDS_H
#define NNET3_OPTIMIZE_REWRITECOMMANDS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::nnet3 {

/// Applies `patterns` to each command once, and to none that they create: what
/// a pass leaves alone, another one may have a switch for. Returns how many
/// commands were erased or changed.
int64_t rewriteCommands(ComputationOp computation, RewritePatternSet patterns);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_REWRITECOMMANDS_H
