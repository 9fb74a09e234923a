//===- nnet3-compile.cpp - Compiles networks ahead of time ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Tools/Common/CommandLine.h"

int main(int argc, char **argv) {
  mlir::nnet3::prepareSignals(argv[0]);
  return mlir::nnet3::compileMain(argc, argv);
}
