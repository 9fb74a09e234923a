//===- nnet3-run.cpp - Runs networks over features ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/Run.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::nnet3::prepareSignals(argv[0]);
  return mlir::nnet3::runMain(argc, argv);
}
