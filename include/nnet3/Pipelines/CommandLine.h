//===- CommandLine.h - What the command lines share -------------*- C++ -*-===//
#ifndef NNET3_PIPELINES_COMMANDLINE_H
#define NNET3_PIPELINES_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace nnet3 {

/// Prints the versions of this project and of LLVM.
void printVersion(llvm::raw_ostream &os);

/// Prepares llvm::cl, before a tool registers its options: `--version` prints
/// the version of this project, and the help text leaves out the options that
/// the libraries of LLVM have registered so far; `--help-hidden` prints them.
void prepareCommandLine();

/// Puts the options that nnet3-opt has registered into groups.
void groupOptOptions();

} // namespace nnet3

#endif // NNET3_PIPELINES_COMMANDLINE_H
