//===- nnet3-opt.cpp - Optimizer driver for nnet3 -------------------------===//
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

namespace mlir::nnet3::test {
void registerTestPasses();
} // namespace mlir::nnet3::test

int main(int argc, char **argv) {
  mlir::nnet3::prepareSignals(argv[0]);
  mlir::nnet3::prepareCommandLine();
  mlir::DialectRegistry registry;
  mlir::nnet3::registerStageDialects(registry);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::nnet3::registerNnet3TransformsPasses();
  mlir::nnet3::registerNnet3CompilePasses();
  mlir::nnet3::registerNnet3OptimizePasses();
  mlir::nnet3::registerNnet3FusionPasses();
  mlir::nnet3::kernel::registerNnet3KernelTransformsPasses();
  mlir::nnet3::kernel::registerNnet3KernelToThreadsPasses();
  mlir::nnet3::kernel::registerNnet3KernelToVectorPasses();
  mlir::nnet3::registerNnet3ToKernelsPasses();
  mlir::nnet3::kernel::registerNnet3CpuTargetPasses();
  mlir::nnet3::registerKernelModels(registry);
  mlir::nnet3::registerKernelsToLLVMPasses();
  mlir::nnet3::registerKernelsToLLVMPipeline();
  mlir::nnet3::registerKernelsToGpuPasses();
  mlir::nnet3::registerGpuPipelines();
  mlir::nnet3::registerGpuTarget(registry);
  mlir::nnet3::registerOptimizePipeline();
  mlir::nnet3::registerCodePipelines();
  mlir::nnet3::registerNnet3LoopsPasses();
  mlir::nnet3::registerNnet3ShortcutPasses();
  mlir::nnet3::registerNnet3StreamPasses();
  mlir::nnet3::registerNnet3SurgeryPasses();
  mlir::nnet3::test::registerTestPasses();
  mlir::nnet3::OptWatchers watchers;
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
      mlir::registerCLIOptions("nnet3 modular optimizer driver\n", registry);
  mlir::nnet3::groupOptOptions();
  auto [input, output] = mlir::parseCLIOptions(argc, argv, head);
#if NNET3_HAS_DEBUG_ONLY
  mlir::nnet3::setDebugTypes(debugTypes);
#endif
  return mlir::asMainReturnCode(
      mlir::nnet3::optMain(input, output, watchers, registry));
}
