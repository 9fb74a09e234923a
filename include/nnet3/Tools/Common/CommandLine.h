//===- CommandLine.h - Common parts of command lines ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_COMMANDLINE_H
#define NNET3_TOOLS_COMMON_COMMANDLINE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::nnet3 {

/// Prints the versions of this project and of LLVM.
void printVersion(llvm::raw_ostream &os);

/// Prints a command line to standard error, quoted for a shell.
void printArguments(llvm::ArrayRef<char *> arguments);

/// Registers LLVM's signal handlers, which remove temporary files, except for
/// signals that the parent process has set to be ignored (`nohup`, jobs in the
/// background of a script). Makes a write beyond the file size limit fail with
/// an error instead of ending the program by a signal. `tool` is the name of
/// the program.
void prepareSignals(llvm::StringRef tool);

/// Prepares llvm::cl before a tool registers its options: `--version` prints
/// the version of this project, and options of LLVM's libraries are printed by
/// `--help-hidden` only.
void prepareCommandLine();

/// Puts the options that nnet3-opt has registered into groups.
void groupOptOptions();

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_COMMANDLINE_H
