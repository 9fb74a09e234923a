//===- nnet3.cpp - Kaldi's programs in one binary -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of the binary selects the program.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"
#include "nnet3/Tools/Common/CommandLine.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::nnet3::prepareSignals(argv[0]);
  return mlir::nnet3::runProgram(argc, argv);
}
