//===- Pipeline.cpp - GPU functions as PTX --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Conversion/KernelsToLLVM/Passes.h"
#include "nnet3/Conversion/ModulePipeline.h"

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;

void mlir::nnet3::addGpuToNVVMPasses(OpPassManager &module) {
  OpPassManager &functions = module.nest<gpu::GPUModuleOp>();
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  module.addPass(createNnet3MergeGpuFunctions());
  OpPassManager &kernels = module.nest<gpu::GPUModuleOp>();
  kernels.addPass(createNnet3ApproximateMath());
  kernels.addPass(createNnet3ExpandGpuReductions());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createNnet3ConvertGpuToNVVM());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

bool mlir::nnet3::isGpu(StringRef name) {
  unsigned number;
  StringRef digits = name;
  // The first architecture for which LLVM has warp shuffles.
  if (!digits.consume_front("sm_") || digits.getAsInteger(10, number) ||
      number < 70)
    return false;
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return false;
  std::unique_ptr<llvm::MCSubtargetInfo> any(
      backend->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  return any && any->isCPUStringValid(name);
}

void mlir::nnet3::addPTXPasses(OpPassManager &module,
                               llvm::ArrayRef<std::string> chips) {
  for (const std::string &chip : chips) {
    GpuNVVMAttachTargetOptions target;
    target.chip = chip;
    target.optLevel = 3;
    module.addPass(createGpuNVVMAttachTarget(target));
  }
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa";
  module.addPass(createGpuModuleToBinaryPass(binary));
}

namespace {
struct PTXOptions : public PassPipelineOptions<PTXOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("GPU to compile for"),
                           llvm::cl::init("sm_80")};
};
} // namespace

void mlir::nnet3::registerGpuTarget(DialectRegistry &registry) {
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void mlir::nnet3::registerGpuPipelines() {
  registerModulePipeline("nnet3-gpu-to-nvvm",
                         "GPU functions of kernels as NVVM dialect",
                         addGpuToNVVMPasses);
  registerPassPipeline(
      "nnet3-nvvm-to-ptx", "PTX of GPU functions in the NVVM dialect",
      [](OpPassManager &module, StringRef text,
         function_ref<LogicalResult(const Twine &)> emitError)
          -> LogicalResult {
        PTXOptions options;
        if (failed(options.parseFromString(text)) ||
            failed(
                checkIsModulePipeline(module, "nnet3-nvvm-to-ptx", emitError)))
          return failure();
        if (!isGpu(options.chip))
          return emitError("unknown GPU '" + options.chip + "'");
        addPTXPasses(module, options.chip.getValue());
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(PTXOptions());
      });
}
