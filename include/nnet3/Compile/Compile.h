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
  /// Attach to every matrix the node and the indexes of its rows.
  bool debugInfo = false;
  /// Attach the attributes that adding sequences to the computation requires.
  bool expandable = false;
  /// Compile a single sequence if all sequences are alike. Without it, the
  /// commands are the same, but compilation takes longer, and matrices have the
  /// sequences in ascending order, not in the order of the request.
  bool foldSequences = true;
  /// Emit `nnet3.elided_rounds` instead of most rounds of a recurrence
  /// (StepRounds.h), if there is no debug information.
  bool elideRounds = false;
};

/// Emits, at the builder's insertion point, the computation
/// `<request>_computation`, which computes the outputs of `request` with
/// `network`. If an output is not computable, emits an error at the request or
/// the network that names the missing input.
FailureOr<ComputationOp> compileRequest(OpBuilder &builder, NetworkOp network,
                                        const NodeTable &nodes,
                                        RequestOp request,
                                        const CompileOptions &options = {});

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_COMPILE_H
