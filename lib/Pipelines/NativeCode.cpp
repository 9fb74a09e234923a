//===- NativeCode.cpp - From computations to machine code -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Compile/Passes.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Pipeline.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"
#include "nnet3/Dialect/Nnet3/IR/ModuleAttributes.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"
#include "nnet3/Fusion/Passes.h"
#include "nnet3/Loops/Passes.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Pipeline.h"

#include "mlir/Pass/PassManager.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;

/// The arena is planned statically, so reuse of single matrices has no use. An
/// affine map can read the rows of a splice in place, so matrices are not
/// extended.
static OptimizeOptions getOptions() {
  OptimizeOptions options;
  options.allocateFromOther = false;
  options.extendMatrices = false;
  return options;
}

/// Largest number of rows of a recurrence step whose non-recurrent matmuls are
/// hoisted: up to this size, a launch costs more than the memory traffic of
/// their results.
static constexpr int64_t kMaxDeviceRows = 128;

static void addFusionPasses(OpPassManager &computations, bool device,
                            Precision precision) {
  // In reduced precision, cut the inputs so that the same columns are rounded
  // together in every request. On devices, cuBLAS computes the matmuls.
  const bool isReduced = !device && precision != Precision::F32;
  computations.addPass(createNnet3NumberDraws());
  computations.addPass(createNnet3ExpandComposites({device}));
  computations.addPass(createNnet3FuseAffine());
  computations.addPass(createNnet3FuseSplice());
  computations.addPass(createNnet3OrderSums({/*cut=*/isReduced}));
  Nnet3HoistRecurrentAffinesOptions hoist;
  if (device)
    hoist.maxRows = kMaxDeviceRows;
  computations.addPass(createNnet3HoistRecurrentAffines(hoist));
  computations.addPass(createNnet3HoistSharedInputs());
  computations.addPass(createNnet3HoistConstantRows());
  Nnet3SplitGathersOptions split;
  if (device) {
    // On devices one launch gathers rows from any sources. A single row is
    // copied by the launch that computes it.
    split.minRows = std::numeric_limits<int64_t>::max();
    split.maxCopiedRows = 1;
  }
  computations.addPass(createNnet3SplitGathers(split));
  if (!device && hasIntegers(precision))
    computations.addPass(createNnet3SplitSums());
  computations.addPass(createNnet3FuseEpilogue());
  // Only on devices: whether all affine maps with given weights can absorb a
  // batch norm depends on the request, and with it the packed weights would.
  if (device)
    computations.addPass(createNnet3FoldBatchNorm());
  computations.addPass(createNnet3RemoveUnnecessaryZeroing());
  computations.addPass(createNnet3MoveSizingCommands());
}

static void addNetworkPasses(OpPassManager &module, Precision precision,
                             bool device) {
  module.addNestedPass<NetworkOp>(createNnet3BypassIdentities());
  module.addNestedPass<NetworkOp>(createNnet3SplitAffineOutputs());
  // With integer weights all columns of a row share one scale, so the inputs
  // should have similar magnitudes. Batch norm and LDA ensure that, so they are
  // not folded.
  if (device || !hasIntegers(precision)) {
    module.addNestedPass<NetworkOp>(createNnet3FoldBatchNormAhead());
    module.addNestedPass<NetworkOp>(createNnet3ComposeAffineMaps(
        {/*keepInputMaps=*/!device && precision == Precision::BF16}));
  }
}

LogicalResult mlir::nnet3::prepareForStreams(ModuleOp module,
                                             Precision precision, bool device) {
  DialectRegistry registry;
  registerKernelModels(registry);
  module.getContext()->appendDialectRegistry(registry);
  PassManager passes(module.getContext());
  if (!device)
    passes.addNestedPass<NetworkOp>(createNnet3OrderImages());
  addNetworkPasses(passes, precision, device);
  return passes.run(module);
}

void mlir::nnet3::addCommandPasses(OpPassManager &module, StageRange stages,
                                   bool testMode, Precision precision,
                                   bool device, bool editNetwork) {
  if (stages.has(Stage::Commands)) {
    if (testMode)
      module.addNestedPass<NetworkOp>(createNnet3SetTestMode());
    if (editNetwork)
      addNetworkPasses(module, precision, device);
    module.addPass(createNnet3RecordPadding());
    if (!device)
      module.addPass(createNnet3BlockSequences());
  }
  OpPassManager computations(ComputationOp::getOperationName());
  if (stages.has(Stage::Optimized))
    addOptimizePasses(computations, getOptions());
  if (stages.has(Stage::Fused))
    addFusionPasses(computations, device, precision);
  // Device programs are straight-line lists of launches.
  const bool inLoops = !device && stages.has(Stage::Fused);
  if (inLoops && stages.has(Stage::Commands)) {
    module.addPass(createShortcutFrames(computations));
  } else {
    if (stages.has(Stage::Commands))
      module.addPass(createNnet3Compile());
    if (!computations.empty())
      module.nest<ComputationOp>() = computations;
  }
  if (inLoops)
    module.addNestedPass<ComputationOp>(createNnet3RollLoops());
}

void mlir::nnet3::recordStage(OpPassManager &module, StageRange stages,
                              StringRef target) {
  if (stages.has(stages.to))
    module.addPass(createNnet3RecordStage(
        {getStageNames()[unsigned(stages.to)].str(), target.str()}));
}

/// Adds the lowering to LLVM, and the check of a module that has reached it.
static void addLowering(OpPassManager &module, StageRange stages) {
  if (stages.has(Stage::Lowered))
    addKernelsToLLVMPasses(module);
  if (stages.to == Stage::Lowered)
    module.addPass(createNnet3VerifyPhase({Phase::LLVM}));
}

void mlir::nnet3::addNativePasses(OpPassManager &module, StageRange stages,
                                  const kernel::KernelSetTargetOptions &target,
                                  bool testMode,
                                  const MatmulPrecision &precision,
                                  bool editNetwork) {
  if (stages.has(Stage::Commands) && editNetwork)
    module.addNestedPass<NetworkOp>(createNnet3OrderImages());
  addCommandPasses(module, stages, testMode, precision.precision,
                   /*device=*/false, editNetwork);
  if (stages.has(Stage::Kernels)) {
    module.addPass(kernel::createKernelSetTarget(target));
    Nnet3ConvertToKernelsOptions options;
    options.precision = precision.precision;
    llvm::append_range(options.componentPrecisions, precision.components);
    addKernelPasses(module, options);
    module.addPass(createNnet3VerifyPhase({Phase::Kernel}));
  }
  if (stages.has(Stage::Loops)) {
    module.addPass(kernel::createKernelToVector());
    module.addPass(createNnet3VerifyPhase({Phase::Loop}));
  }
  addLowering(module, stages);
  recordStage(module, stages, "cpu");
}

bool mlir::nnet3::hasDerivatives(RequestOp request) {
  return request.getNeedModelDerivative() ||
         llvm::any_of(request.getBody().front(),
                      [](Operation &io) { return io.hasAttr("has_deriv"); });
}

bool mlir::nnet3::isTraining(RequestOp request) {
  return hasDerivatives(request) || request.getStoreComponentStats();
}

void mlir::nnet3::addTrainingPasses(OpPassManager &module,
                                    OptimizeOptions options) {
  options.allocateFromOther = false;
  options.extendMatrices = false;
  module.addPass(createNnet3Compile(
      {/*debugInfo=*/options.limitsDerivativeTimes(), /*foldSequences=*/true}));
  OpPassManager &computations = module.nest<ComputationOp>();
  addOptimizePasses(computations, options);
  computations.addPass(createNnet3NumberDraws());
  // Fuse only components whose output is overwritten.
  computations.addPass(createNnet3ExpandComposites({/*device=*/true}));
  computations.addPass(createNnet3AccumulateDerivatives());
  computations.addPass(createNnet3FuseAffine());
  computations.addPass(createNnet3FuseEpilogue());
  computations.addPass(createNnet3RemoveUnnecessaryZeroing());
  computations.addPass(createNnet3MoveSizingCommands());
}

void mlir::nnet3::addNativeTrainingPasses(
    OpPassManager &module, StageRange stages, const TrainingCode &training,
    const kernel::KernelSetTargetOptions &target) {
  if (stages.has(Stage::Fused))
    addTrainingPasses(module, training.optimization);
  if (stages.has(Stage::Kernels)) {
    kernel::KernelSetTargetOptions shared = target;
    shared.threads = training.threads;
    module.addPass(kernel::createKernelSetTarget(shared));
    Nnet3ConvertToKernelsOptions options;
    options.training = true;
    options.updates = training.updates;
    options.shared = training.isShared;
    addKernelPasses(module, options);
    module.addPass(createNnet3VerifyPhase({Phase::Kernel}));
  }
  if (stages.has(Stage::Loops)) {
    module.addPass(kernel::createKernelToVector());
    module.addPass(kernel::createKernelShareLoops());
    // Layers that differ only in their rows share code.
    module.addPass(kernel::createKernelMergeFunctions());
    module.addPass(createNnet3VerifyPhase({Phase::Loop}));
  }
  addLowering(module, stages);
  recordStage(module, stages, "cpu");
}
