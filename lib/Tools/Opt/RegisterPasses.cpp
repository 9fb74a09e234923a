//===- RegisterPasses.cpp - The passes that tools know by name ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/RegisterPasses.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Compile/Passes.h"
#include "nnet3/Conversion/KernelToThreads/Passes.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Conversion/KernelsToLLVM/Passes.h"
#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"
#include "nnet3/Fusion/Passes.h"
#include "nnet3/Loops/Passes.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Pipelines/CodePipelines.h"
#include "nnet3/Shortcut/Passes.h"
#include "nnet3/Stream/Passes.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Cpu/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Registers the passes of MLIR that our pipelines consist of, so that the text
/// of a pipeline and crash reproducers can be run.
static void registerUpstreamPasses() {
  registerCanonicalizerPass();
  registerCSEPass();
  registerLoopInvariantCodeMotionPass();
  registerPass([] { return createArithToLLVMConversionPass(); });
  registerPass([] { return createConvertControlFlowToLLVMPass(); });
  registerPass([] { return createConvertElementwiseToLinalgPass(); });
  registerPass([] { return createConvertFuncToLLVMPass(); });
  registerPass([] { return createConvertIndexToLLVMPass(); });
  registerPass([] { return createConvertMathToLLVMPass(); });
  registerPass([] { return createConvertVectorToLLVMPass(); });
  registerPass([] { return createFinalizeMemRefToLLVMConversionPass(); });
  registerPass([] { return createGpuModuleToBinaryPass(); });
  registerPass([] { return createGpuNVVMAttachTarget(); });
  registerPass([] { return createReconcileUnrealizedCastsPass(); });
  registerPass([] { return createSCFToControlFlowPass(); });
  registerPass([] { return createUBToLLVMConversionPass(); });
}

void mlir::nnet3::registerPasses(DialectRegistry &registry) {
  registerUpstreamPasses();
  registerNnet3TransformsPasses();
  registerNnet3CompilePasses();
  registerNnet3OptimizePasses();
  registerNnet3FusionPasses();
  kernel::registerNnet3KernelTransformsPasses();
  kernel::registerNnet3KernelToThreadsPasses();
  kernel::registerNnet3KernelToVectorPasses();
  registerNnet3ToKernelsPasses();
  registerNnet3ToLinalgPasses();
  kernel::registerNnet3CpuTargetPasses();
  registerKernelModels(registry);
  registerKernelsToLLVMPasses();
  registerKernelsToLLVMPipeline();
  registerKernelsToGpuPasses();
  registerGpuPipelines();
  registerGpuTarget(registry);
  registerOptimizePipeline();
  registerCodePipelines();
  registerNnet3LoopsPasses();
  registerNnet3ShortcutPasses();
  registerNnet3StreamPasses();
  registerNnet3SurgeryPasses();
}
