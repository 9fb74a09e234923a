//===- NetworkProgram.h - Main function of network programs -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_NETWORKPROGRAM_H
#define NNET3_TOOLS_COMMON_NETWORKPROGRAM_H

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Tools/Common/Program.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir::nnet3 {

/// The command line of a program that compiles requests for a network.
class NetworkProgramOptions : public ProgramOptions {
public:
  RunnerOptions runner;

protected:
  /// Registers the options of the compiler, and `--use-gpu`.
  void registerRunnerOptions(OptionParser &parser);
  /// Checks these options, and sets `runner`.
  llvm::Error finishRunnerOptions();

  /// Accepted for compatibility, without effect.
  std::string useGpu = "yes";

private:
  int32_t cacheCapacity = 64;
};

/// Like `runProgram`, with a context for networks. `run` emits its errors.
int runNetworkProgram(
    const char *usage, int argc, char **argv, ProgramOptions &options,
    llvm::function_ref<llvm::LogicalResult(MLIRContext *)> run);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_NETWORKPROGRAM_H
