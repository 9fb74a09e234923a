//===- OptProgram.cpp - The command line of nnet3-opt ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
#include "nnet3/Dialect/Nnet3/Analysis/DebugTypes.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"
#include "nnet3/Fusion/Passes.h"
#include "nnet3/Loops/Passes.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Pipelines/CodePipelines.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Shortcut/Passes.h"
#include "nnet3/Stream/Passes.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Cpu/Passes.h"
#include "nnet3/Tools/CommandLine.h"
#include "nnet3/Tools/OptMain.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::nnet3;

int mlir::nnet3::optProgram(int argc, char **argv) {
  prepareCommandLine();
  DialectRegistry registry;
  registerStageDialects(registry);
  registerCanonicalizerPass();
  registerCSEPass();
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
  OptWatchers watchers;
  llvm::cl::opt<std::string, /*ExternalStorage=*/true> reportFile(
      "nnet3-report", llvm::cl::value_desc("file.html"),
      llvm::cl::location(watchers.reportFile),
      llvm::cl::desc(
          "Write a page about what the passes make of computations"));
  llvm::cl::opt<bool, /*ExternalStorage=*/true> statistics(
      "nnet3-pass-statistics", llvm::cl::location(watchers.statistics),
      llvm::cl::desc("Print what each pass makes of each computation: "
                     "commands, matrices, bytes"));
#if NNET3_HAS_DEBUG_ONLY
  llvm::cl::list<std::string> debugTypes(
      "debug-only", llvm::cl::CommaSeparated, llvm::cl::value_desc("types"),
      llvm::cl::desc("Enable debug output of these types"));
#endif
  std::string head =
      registerCLIOptions("nnet3 modular optimizer driver\n", registry);
  groupOptOptions();
  auto [input, output] = parseCLIOptions(argc, argv, head);
#if NNET3_HAS_DEBUG_ONLY
  setDebugTypes(debugTypes);
#endif
  return asMainReturnCode(optMain(input, output, watchers, registry));
}
