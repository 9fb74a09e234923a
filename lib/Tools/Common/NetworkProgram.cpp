//===- NetworkProgram.cpp - The frame of a network program ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/SharedOptions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

void mlir::nnet3::NetworkProgramOptions::registerRunnerOptions(
    OptionParser &parser) {
  parser.beginGroup("Compatibility");
  parser.add("use-gpu", &useGpu,
             "yes|no|optional|wait: accepted for compatibility");
  registerCompilerOptions(parser, runner.optimization, cacheCapacity);
}

llvm::Error mlir::nnet3::NetworkProgramOptions::finishRunnerOptions() {
  if (llvm::Error error =
          expectOneOf("use-gpu", useGpu, {"yes", "no", "optional", "wait"}))
    return error;
  runner.cacheCapacity = cacheCapacity;
  return expectAtLeast("compiler.cache-capacity", 1, cacheCapacity);
}

int mlir::nnet3::runNetworkProgram(
    const char *usage, int argc, char **argv, ProgramOptions &options,
    llvm::function_ref<LogicalResult(MLIRContext *)> run) {
  return runProgram(usage, argc, argv, options, [&]() -> int {
    DialectRegistry registry;
    registerStageDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
    context.printOpOnDiagnostic(false);
    LineDiagnosticHandler handler(&context, llvm::errs());
    return succeeded(run(&context)) ? 0 : 1;
  });
}
