//===- Pipeline.cpp - The optimisations in their order --------------------===//
//
// Spec: optimize.md 3 says why this order.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Optimize/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Up to where the commands and their matrices are settled.
static void addCommandPasses(OpPassManager &manager,
                             const OptimizeOptions &options) {
  if (options.consolidateModelUpdate)
    manager.addPass(createNnet3ConsolidateModelUpdate());
  if (options.convertAddition)
    manager.addPass(createNnet3ConvertAddition());
  if (options.snipRowOps)
    manager.addPass(createNnet3SnipRowOps());
  if (options.splitRowOps)
    manager.addPass(createNnet3SplitRowOps());
  if (options.optimizeRowOps)
    manager.addPass(createNnet3ReplaceRowOps());
  if (options.extendMatrices)
    manager.addPass(createNnet3ExtendMatrices());
  if (options.removeAssignments || options.propagateInPlace ||
      options.backpropInPlace)
    manager.addPass(createNnet3MergeVariables(
        {options.removeAssignments, options.propagateInPlace,
         options.backpropInPlace, options.allowLeftMerge,
         options.allowRightMerge}));
}

/// Where storage begins and ends.
static void addStoragePasses(OpPassManager &manager,
                             const OptimizeOptions &options) {
  if (options.initializeUndefined)
    manager.addPass(createNnet3RemoveUnnecessaryZeroing());
  if (options.moveSizingCommands)
    manager.addPass(createNnet3MoveSizingCommands());
  if (options.allocateFromOther)
    manager.addPass(createNnet3RemoveUnnecessaryAllocation());
}

void mlir::nnet3::buildOptimizePipeline(OpPassManager &manager,
                                        const OptimizeOptions &options) {
  if (!options.optimize)
    return;
  OpPassManager &computations = manager.nest<ComputationOp>();
  addCommandPasses(computations, options);
  addStoragePasses(computations, options);
  computations.addPass(createNnet3RemoveNoOps());
  computations.addPass(createNnet3Renumber());
}

void mlir::nnet3::registerOptimizePipeline() {
  PassPipelineRegistration<OptimizeOptions>(
      "nnet3-optimize", "the optimisations of computations, in their order",
      buildOptimizePipeline);
}
