//===- OptMain.h - nnet3-opt with watchers of its passes --------*- C++ -*-===//
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

/// What nnet3-opt shows of its passes.
struct OptWatchers {
  /// A page about what they made of the computations; "" for none. It appears
  /// whole or not at all.
  std::string reportFile;
  /// Tables of what each pass made of each computation, on stderr.
  bool statistics = false;
};

/// Runs the passes of the command line, as MlirOptMain does, while `watchers`
/// look at them. Prints an error if something fails.
llvm::LogicalResult optMain(llvm::StringRef input, llvm::StringRef output,
                            const OptWatchers &watchers,
                            DialectRegistry &registry);

/// Runs nnet3-opt: registers its passes and pipelines, reads the command line,
/// and runs them. Passes that are registered before can be named, too. Returns
/// the exit status.
int optProgram(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_OPTMAIN_H
