//===- OptProgram.cpp - The command line of nnet3-opt ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/DebugTypes.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/OptMain.h"
#include "nnet3/Tools/RegisterPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::nnet3;

int mlir::nnet3::optProgram(int argc, char **argv) {
  prepareCommandLine();
  DialectRegistry registry;
  registerStageDialects(registry);
  registerPasses(registry);
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
