//===- Compile.h - From a network and a request to commands -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_COMPILE_H
#define NNET3_COMPILE_COMPILE_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

struct CompileOptions {
  /// Attach to every matrix which rows of which node it holds.
  bool debugInfo = false;
  /// Attach what it takes to add sequences to the computation.
  bool expandable = false;
  /// Compile one sequence for all, where all are alike. The commands are the
  /// same without, it only takes longer; but then matrices have the sequences
  /// in the order of their numbers, not in the request's.
  bool foldSequences = true;
};

/// Emits, at the builder's insertion point, the computation that computes the
/// outputs of `request` with `network`. The computation is called
/// `<request>_computation`. Emits an error, at the request or the network, if
/// an output cannot be computed; it names the input that is missing.
FailureOr<ComputationOp> compileRequest(OpBuilder &builder, NetworkOp network,
                                        const NodeTable &nodes,
                                        RequestOp request,
                                        const CompileOptions &options = {});

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_COMPILE_H
