//===- Train.h - What nnet3-train does --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_TRAIN_H
#define NNET3_TOOLS_TRAIN_H

namespace mlir::nnet3 {

/// The main function of nnet3-train.
int trainMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_TRAIN_H
