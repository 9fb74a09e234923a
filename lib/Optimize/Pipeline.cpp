//===- Pipeline.cpp - The pipeline of optimisations -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order is explained in optimize.md 3 of the spec.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Optimize/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Adds passes with optional checks of the computation after each pass.
class CheckedPasses {
public:
  CheckedPasses(OpPassManager &manager, bool check)
      : manager(manager), check(check) {
    // The compiler's output never writes a variable that has been read.
    if (check)
      manager.addPass(createNnet3CheckComputation({/*checkRewrites=*/true}));
  }

  void add(std::unique_ptr<Pass> pass) {
    manager.addPass(std::move(pass));
    if (check)
      manager.addPass(createNnet3CheckComputation());
  }

private:
  OpPassManager &manager;
  bool check;
};
} // namespace

/// Adds the passes that change commands and their matrices.
static void addCommandPasses(CheckedPasses &passes,
                             const OptimizeOptions &options) {
  if (options.consolidateModelUpdate)
    passes.add(createNnet3ConsolidateModelUpdate());
  if (options.convertAddition)
    passes.add(createNnet3ConvertAddition());
  if (options.snipRowOps)
    passes.add(createNnet3SnipRowOps());
  if (options.splitRowOps)
    passes.add(createNnet3SplitRowOps());
  if (options.optimizeRowOps)
    passes.add(createNnet3ReplaceRowOps());
  if (options.extendMatrices)
    passes.add(createNnet3ExtendMatrices());
  if (options.removeAssignments || options.propagateInPlace ||
      options.backpropInPlace)
    passes.add(createNnet3MergeVariables(
        {options.removeAssignments, options.propagateInPlace,
         options.backpropInPlace, options.allowLeftMerge,
         options.allowRightMerge}));
}

/// Adds the passes that move and merge allocations.
static void addStoragePasses(CheckedPasses &passes,
                             const OptimizeOptions &options) {
  if (options.initializeUndefined)
    passes.add(createNnet3RemoveUnnecessaryZeroing());
  if (options.moveSizingCommands)
    passes.add(createNnet3MoveSizingCommands());
  if (options.allocateFromOther)
    passes.add(createNnet3RemoveUnnecessaryAllocation());
}

void mlir::nnet3::addOptimizePasses(OpPassManager &computations,
                                    const OptimizeOptions &options) {
  CheckedPasses passes(computations, options.check);
  if (options.limitsDerivativeTimes())
    passes.add(createNnet3LimitDerivativeTimes({options.minDerivTime,
                                                options.maxDerivTime,
                                                options.maxDerivTimeRelative}));
  if (options.optimize) {
    addCommandPasses(passes, options);
    addStoragePasses(passes, options);
    passes.add(createNnet3RemoveNoOps());
    passes.add(createNnet3Renumber());
  }
  if (options.memoryCompressionLevel > 0)
    passes.add(createNnet3CompressMemory({options.memoryCompressionLevel}));
}

void OptimizeOptions::forEach(
    function_ref<void(StringRef, bool &, StringRef)> fn) {
  fn("optimize", optimize, "enable all optimisations");
  fn("consolidate-model-update", consolidateModelUpdate,
     "update each component once");
  fn("convert-addition", convertAddition,
     "convert additions to zeros into copies");
  fn("snip-row-ops", snipRowOps, "trim rows that a command does not change");
  fn("split-row-ops", splitRowOps, "split row commands with several matrices");
  fn("optimize-row-ops", optimizeRowOps,
     "convert row commands on consecutive rows to matrix commands");
  fn("extend-matrices", extendMatrices,
     "extend matrices so that a view can hold a copied matrix");
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
     "remove the zero-fill of matrices that are overwritten");
  fn("move-sizing-commands", moveSizingCommands, "allocate late, free early");
  fn("allocate-from-other", allocateFromOther,
     "reuse the storage of freed matrices");
}

void OptimizeOptions::forEachNumber(
    function_ref<void(StringRef, int32_t &, StringRef)> fn) {
  fn("min-deriv-time", minDerivTime, "smallest t with derivatives");
  fn("max-deriv-time", maxDerivTime, "largest t with derivatives");
  fn("max-deriv-time-relative", maxDerivTimeRelative,
     "largest t with derivatives, relative to the largest t of an output");
  fn("memory-compression-level", memoryCompressionLevel,
     "compress matrices between the forward and the backward pass: 0 none, 1 "
     "to signs where these are enough, 2 also to 16 bits");
}

bool OptimizeOptions::limitsDerivativeTimes() const {
  OptimizeOptions none;
  return minDerivTime != none.minDerivTime ||
         maxDerivTime != none.maxDerivTime ||
         maxDerivTimeRelative != none.maxDerivTimeRelative;
}

namespace {
/// OptimizeOptions as options of a pipeline.
struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  PipelineOptions() {
    defaults.forEach([&](StringRef name, bool &value, StringRef help) {
      switches.push_back(std::make_unique<Option<bool>>(
          *this, name, llvm::cl::desc(help), llvm::cl::init(value)));
    });
    defaults.forEachNumber([&](StringRef name, int32_t &value, StringRef help) {
      numbers.push_back(std::make_unique<Option<int32_t>>(
          *this, name, llvm::cl::desc(help), llvm::cl::init(value)));
    });
  }

  OptimizeOptions get() const {
    OptimizeOptions options;
    size_t i = 0;
    options.forEach(
        [&](StringRef, bool &value, StringRef) { value = *switches[i++]; });
    i = 0;
    options.forEachNumber(
        [&](StringRef, int32_t &value, StringRef) { value = *numbers[i++]; });
    options.check = check;
    return options;
  }

  Option<bool> check{
      *this, "check",
      llvm::cl::desc("check the computation before and after each pass"),
      llvm::cl::init(false)};

private:
  OptimizeOptions defaults;
  std::vector<std::unique_ptr<Option<bool>>> switches;
  std::vector<std::unique_ptr<Option<int32_t>>> numbers;
};
} // namespace

/// Adds the pipeline to a pass manager of modules or of computations.
static LogicalResult
addPipeline(OpPassManager &manager, StringRef text,
            function_ref<LogicalResult(const Twine &)> emitError) {
  PipelineOptions options;
  if (failed(options.parseFromString(text)))
    return failure();
  const StringRef name = manager.getOpAnchorName();
  if (name == ComputationOp::getOperationName())
    addOptimizePasses(manager, options.get());
  else if (name == ModuleOp::getOperationName())
    addOptimizePasses(manager.nest<ComputationOp>(), options.get());
  else
    return emitError("'nnet3-optimize' runs on 'builtin.module' or "
                     "'nnet3.computation', but got '" +
                     name + "'");
  return success();
}

void mlir::nnet3::registerOptimizePipeline() {
  registerPassPipeline(
      "nnet3-optimize", "the optimisations of computations, in their order",
      addPipeline,
      [](function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(PipelineOptions());
      });
}
