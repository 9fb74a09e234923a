//===- CompileInLoops.h - Compile recurrences as loops ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LOOPS_COMPILEINLOOPS_H
#define NNET3_LOOPS_COMPILEINLOOPS_H

#include "nnet3/Compile/Compile.h"

namespace mlir::nnet3 {

/// Compiles `request` like `compileRequest` and runs `passes` on the
/// computation. Requests for many frames of recurrent networks are compiled for
/// fewer frames, and the resulting loops are expanded
/// (`nnet3-shortcut-frames`); if that is not possible, sets `reason`.
FailureOr<ComputationOp>
compileInLoops(OpBuilder &builder, NetworkOp network, const NodeTable &nodes,
               RequestOp request, const CompileOptions &options,
               function_ref<LogicalResult(ComputationOp)> passes,
               std::string &reason);

} // namespace mlir::nnet3

#endif // NNET3_LOOPS_COMPILEINLOOPS_H
