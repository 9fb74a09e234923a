//===- OptMain.h - Main function of nnet3-opt -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_OPTMAIN_H
#define NNET3_TOOLS_OPTMAIN_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::nnet3 {

/// The reports of nnet3-opt about its passes.
struct OptWatchers {
  /// File for a page about the effects of passes on computations, which is
  /// written atomically; empty for none.
  std::string reportFile;
  /// Whether to print tables of the effects of each pass on each computation to
  /// stderr.
  bool statistics = false;
};

/// Runs the passes of the command line like MlirOptMain, with the reports of
/// `watchers`. Prints an error on failure.
llvm::LogicalResult optMain(llvm::StringRef input, llvm::StringRef output,
                            const OptWatchers &watchers,
                            DialectRegistry &registry);

/// Runs nnet3-opt: registers its passes and pipelines, parses the command line,
/// and runs it. Passes that were registered before can also be used. Returns
/// the exit status.
int optProgram(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_OPTMAIN_H
