//===- RunProgram.h - Kaldi's programs by name ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_NNET3_RUNPROGRAM_H
#define NNET3_TOOLS_NNET3_RUNPROGRAM_H

namespace mlir::nnet3 {

/// Runs the program of Programs.def that `argv[0]` names. If there is none, the
/// first argument is the name, with or without `nnet3-`. Returns the exit
/// status.
int runProgram(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_NNET3_RUNPROGRAM_H
