//===- CommandEmitter.h - Commands of a computation -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_COMMANDEMITTER_H
#define NNET3_COMPILE_COMMANDEMITTER_H

#include "nnet3/Compile/Locations.h"
#include "nnet3/Compile/StepRounds.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"

#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

struct EmitOptions {
  /// Attach node and indexes to every matrix.
  bool debugInfo = false;
  /// Attach the attributes that adding sequences requires (DebugInfo.h).
  bool expandable = false;
  /// Store activation statistics after the components that have them.
  bool storeStats = false;
  /// The derivatives that the backward pass computes, and the steps that have
  /// derivatives for it.
  DerivativeRequest derivatives;
  std::vector<bool> needed;
  /// The recurrences of which rounds are elided.
  std::vector<StepRounds> rounds;
};

/// Emits the commands of the steps at the builder's insertion point, which is
/// in the body of a computation (compile.md 8 and 9). Before the marker: inputs
/// and matrices, then the steps, then the outputs. After the marker:
/// derivatives of the outputs, the steps in reverse order, deallocations,
/// derivatives of the inputs.
void emitCommands(OpBuilder &builder, NetworkOp network,
                  const ComputationGraph &graph, const StepList &steps,
                  const EmitOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_COMMANDEMITTER_H
