//===- Pipeline.h - The optimisations in their order ------------*- C++ -*-===//

#ifndef NNET3_OPTIMIZE_PIPELINE_H
#define NNET3_OPTIMIZE_PIPELINE_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
}

namespace mlir::nnet3 {

/// Switches of nnet3-optimize, called as those of Kaldi's
/// --optimization.* options (spec: optimize.md 3).
struct OptimizeOptions : public PassPipelineOptions<OptimizeOptions> {
  Option<bool> optimize{*this, "optimize",
                        llvm::cl::desc("switch all others on"),
                        llvm::cl::init(true)};
  Option<bool> consolidateModelUpdate{
      *this, "consolidate-model-update",
      llvm::cl::desc("update each component once"), llvm::cl::init(true)};
  Option<bool> convertAddition{
      *this, "convert-addition",
      llvm::cl::desc("make copies of additions to zeros"),
      llvm::cl::init(true)};
  Option<bool> snipRowOps{
      *this, "snip-row-ops",
      llvm::cl::desc("cut off rows that a command does not change"),
      llvm::cl::init(true)};
  Option<bool> splitRowOps{*this, "split-row-ops",
                           llvm::cl::desc("split commands with several "
                                          "matrices"),
                           llvm::cl::init(true)};
  Option<bool> optimizeRowOps{
      *this, "optimize-row-ops",
      llvm::cl::desc("make matrix commands of row commands"),
      llvm::cl::init(true)};
  Option<bool> extendMatrices{
      *this, "extend-matrices",
      llvm::cl::desc("add rows so that a part can hold all of another matrix"),
      llvm::cl::init(true)};
  Option<bool> removeAssignments{*this, "remove-assignments",
                                 llvm::cl::desc("remove copies"),
                                 llvm::cl::init(true)};
  Option<bool> propagateInPlace{
      *this, "propagate-in-place",
      llvm::cl::desc("run components in place in the forward pass"),
      llvm::cl::init(true)};
  Option<bool> backpropInPlace{
      *this, "backprop-in-place",
      llvm::cl::desc("run components in place in the backward pass"),
      llvm::cl::init(true)};
  Option<bool> allowLeftMerge{
      *this, "allow-left-merge",
      llvm::cl::desc("a destination may become a part of its source"),
      llvm::cl::init(true)};
  Option<bool> allowRightMerge{
      *this, "allow-right-merge",
      llvm::cl::desc("a source may become a part of its destination"),
      llvm::cl::init(true)};
  Option<bool> initializeUndefined{
      *this, "initialize-undefined",
      llvm::cl::desc("leave matrices undefined that are overwritten"),
      llvm::cl::init(true)};
  Option<bool> moveSizingCommands{*this, "move-sizing-commands",
                                  llvm::cl::desc("allocate late, free early"),
                                  llvm::cl::init(true)};
  Option<bool> allocateFromOther{*this, "allocate-from-other",
                                 llvm::cl::desc("reuse storage that is freed"),
                                 llvm::cl::init(true)};
};

/// Adds the passes that `options` switch on, for the computations of a module.
void buildOptimizePipeline(OpPassManager &manager,
                           const OptimizeOptions &options);

/// Registers the pipeline nnet3-optimize.
void registerOptimizePipeline();

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_PIPELINE_H
