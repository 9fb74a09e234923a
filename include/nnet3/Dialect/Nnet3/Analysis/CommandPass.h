//===- CommandPass.h - Passes over commands without loops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_COMMANDPASS_H
#define NNET3_DIALECT_NNET3_ANALYSIS_COMMANDPASS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

/// Whether a computation has loops.
struct LoopAnalysis {
  explicit LoopAnalysis(Operation *op)
      : hasLoops(!cast<ComputationOp>(op).getBody().getOps<LoopOp>().empty()) {}
  bool hasLoops;
};

/// A pass over computations whose commands run once, in their order. It does
/// not change computations with loops, which are created after the
/// optimisations.
class CommandPass : public OperationPass<ComputationOp> {
protected:
  using OperationPass<ComputationOp>::OperationPass;

  virtual void runOnCommands() = 0;
  /// Whether the pass may create loops.
  virtual bool createsLoops() const { return false; }

private:
  void runOnOperation() final {
    if (getAnalysis<LoopAnalysis>().hasLoops)
      return markAllAnalysesPreserved();
    runOnCommands();
    if (!createsLoops())
      markAnalysesPreserved<LoopAnalysis>();
  }
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_COMMANDPASS_H
