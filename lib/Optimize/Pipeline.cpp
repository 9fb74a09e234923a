//===- Pipeline.cpp - The optimisations in their order --------------------===//
//
// Spec: optimize.md 3 says why this order.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Optimize/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
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

void mlir::nnet3::addOptimizePasses(OpPassManager &computations,
                                    const OptimizeOptions &options) {
  if (!options.optimize)
    return;
  addCommandPasses(computations, options);
  addStoragePasses(computations, options);
  computations.addPass(createNnet3RemoveNoOps());
  computations.addPass(createNnet3Renumber());
}

void OptimizeOptions::forEach(
    function_ref<void(StringRef, bool &, StringRef)> fn) {
  fn("optimize", optimize, "switch the others on");
  fn("consolidate-model-update", consolidateModelUpdate,
     "update each component once");
  fn("convert-addition", convertAddition, "make copies of additions to zeros");
  fn("snip-row-ops", snipRowOps, "cut off rows that a command does not change");
  fn("split-row-ops", splitRowOps, "split commands with several matrices");
  fn("optimize-row-ops", optimizeRowOps,
     "make matrix commands of row commands");
  fn("extend-matrices", extendMatrices,
     "add rows so that a part can hold all of another matrix");
  fn("remove-assignments", removeAssignments, "remove copies");
  fn("propagate-in-place", propagateInPlace,
     "run components in place in the forward pass");
  fn("backprop-in-place", backpropInPlace,
     "run components in place in the backward pass");
  fn("allow-left-merge", allowLeftMerge,
     "a destination may become a part of its source");
  fn("allow-right-merge", allowRightMerge,
     "a source may become a part of its destination");
  fn("initialize-undefined", initializeUndefined,
     "leave matrices undefined that are overwritten");
  fn("move-sizing-commands", moveSizingCommands, "allocate late, free early");
  fn("allocate-from-other", allocateFromOther, "reuse storage that is freed");
}

namespace {
/// The same as options of a pipeline.
struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  PipelineOptions() {
    defaults.forEach([&](StringRef name, bool &value, StringRef help) {
      switches.push_back(std::make_unique<Option<bool>>(
          *this, name, llvm::cl::desc(help), llvm::cl::init(value)));
    });
  }

  OptimizeOptions get() const {
    OptimizeOptions options;
    size_t i = 0;
    options.forEach(
        [&](StringRef, bool &value, StringRef) { value = *switches[i++]; });
    return options;
  }

private:
  OptimizeOptions defaults;
  std::vector<std::unique_ptr<Option<bool>>> switches;
};
} // namespace

void mlir::nnet3::registerOptimizePipeline() {
  PassPipelineRegistration<PipelineOptions>(
      "nnet3-optimize", "the optimisations of computations, in their order",
      [](OpPassManager &manager, const PipelineOptions &options) {
        addOptimizePasses(manager.nest<ComputationOp>(), options.get());
      });
}
