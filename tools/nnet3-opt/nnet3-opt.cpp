//===- nnet3-opt.cpp - Optimizer driver for nnet3 -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/OptMain.h"

namespace mlir::nnet3::test {
void registerTestPasses();
} // namespace mlir::nnet3::test

int main(int argc, char **argv) {
  mlir::nnet3::prepareSignals(argv[0]);
  mlir::nnet3::test::registerTestPasses();
  return mlir::nnet3::optProgram(argc, argv);
}
