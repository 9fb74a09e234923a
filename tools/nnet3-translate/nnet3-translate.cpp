//===- nnet3-translate.cpp - Kaldi's models to MLIR and back --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Translate.h"

int main(int argc, char **argv) {
  return mlir::nnet3::translateMain(argc, argv);
}
