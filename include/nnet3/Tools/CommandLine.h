//===- CommandLine.h - What the command lines share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMANDLINE_H
#define NNET3_TOOLS_COMMANDLINE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::nnet3 {

/// Prints the versions of this project and of LLVM.
void printVersion(llvm::raw_ostream &os);

/// Prints a command line to standard error, as a shell would take it back.
void printArguments(llvm::ArrayRef<char *> arguments);

/// Lets a write beyond the limit of a file's size fail, so that it is an error
/// with a reason, and not the end of the program. Called once LLVM has its
/// signal handlers, or registers them here; `tool` is the name of the program.
void prepareSignals(llvm::StringRef tool);

/// Prepares llvm::cl, before a tool registers its options: `--version` prints
/// the version of this project, and the help text leaves out the options that
/// the libraries of LLVM have registered so far; `--help-hidden` prints them.
void prepareCommandLine();

/// Puts the options that nnet3-opt has registered into groups.
void groupOptOptions();

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMANDLINE_H
