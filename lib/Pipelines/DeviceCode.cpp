//===- DeviceCode.cpp - From computations to GPU code ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Compile/Passes.h"
#include "nnet3/Conversion/KernelToThreads/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Pipeline.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"
#include "nnet3/Fusion/Passes.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Pipeline.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

void mlir::nnet3::addDevicePasses(OpPassManager &module, StageRange stages,
                                  bool testMode, Precision precision,
                                  const std::optional<TrainingCode> &training) {
  if (training)
    addTrainingPasses(module, training->optimization);
  else
    addCommandPasses(module, stages, testMode, precision, /*device=*/true);
  if (stages.has(Stage::Kernels)) {
    Nnet3ConvertToKernelsOptions options;
    options.device = true;
    options.precision = precision;
    options.updates = training && training->updates;
    options.shared = training && training->isShared;
    addKernelPasses(module, options);
    module.addPass(createNnet3VerifyPhase({Phase::Kernel}));
  }
  if (stages.has(Stage::Loops)) {
    module.addPass(kernel::createKernelToThreads());
    module.addPass(createNnet3VerifyPhase({Phase::Loop}));
  }
  if (stages.has(Stage::Lowered)) {
    module.addPass(createNnet3ConvertKernelsToGpu());
    addGpuToNVVMPasses(module);
  }
  if (stages.to == Stage::Lowered)
    module.addPass(createNnet3VerifyPhase({Phase::Device}));
  recordStage(module, stages, "cuda");
}

/// Returns the architecture of `chip`, for example 90 for "sm_90".
static int32_t getArch(StringRef chip) {
  int32_t arch = 0;
  chip.consume_front("sm_");
  chip.consumeInteger(10, arch);
  return arch;
}

FailureOr<std::vector<rt::cuda::DevicePtx>>
mlir::nnet3::emitPTX(ModuleOp module, ArrayRef<std::string> chips) {
  std::vector<rt::cuda::DevicePtx> result;
  if (module.getOps<gpu::GPUModuleOp>().empty())
    return result;
  DialectRegistry registry;
  registerGpuTarget(registry);
  module->getContext()->appendDialectRegistry(registry);
  PassManager passes(module->getContext());
  addPTXPasses(passes, chips);
  if (failed(passes.run(module)))
    return failure();
  auto binary = *module.getOps<gpu::BinaryOp>().begin();
  for (auto [chip, object] : llvm::zip_equal(chips, binary.getObjects()))
    result.push_back(
        {getArch(chip),
         cast<gpu::ObjectAttr>(object).getObject().getValue().str()});
  return result;
}

FailureOr<DeviceProgram>
mlir::nnet3::emitDeviceProgram(ModuleOp module, ArrayRef<std::string> chips) {
  auto program = collectDeviceProgram(module);
  if (failed(program))
    return failure();
  auto ptx = emitPTX(module, chips);
  if (failed(ptx))
    return failure();
  program->code.ptx = std::move(*ptx);
  return program;
}
