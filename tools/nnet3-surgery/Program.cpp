//===- Program.cpp - A program that makes or changes models ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each program is built from this file, with NNET3_MAIN as its main function.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Tools/CommandLine.h"
#include "nnet3/Tools/Surgery.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::nnet3::prepareSignals(argv[0]);
  return mlir::nnet3::NNET3_MAIN(argc, argv);
}
