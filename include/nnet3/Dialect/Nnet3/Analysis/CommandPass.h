//===- CommandPass.h - Passes over commands without loops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_COMMANDPASS_H
#define NNET3_DIALECT_NNET3_ANALYSIS_COMMANDPASS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

/// A pass over computations whose commands run once, in their order. It does
/// not change computations with loops, which are created after the
/// optimisations.
class CommandPass : public OperationPass<ComputationOp> {
protected:
  using OperationPass<ComputationOp>::OperationPass;

  virtual void runOnCommands() = 0;

private:
  void runOnOperation() final {
    if (getOperation().getBody().getOps<LoopOp>().empty())
      runOnCommands();
    else
      markAllAnalysesPreserved();
  }
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_COMMANDPASS_H
