//===- nnet3.cpp - Kaldi's programs in one binary -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name by which the binary is called is that of the program to run.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"
#include "nnet3/Tools/CommandLine.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::nnet3::prepareSignals(argv[0]);
  return mlir::nnet3::runProgram(argc, argv);
}
