//===- Train.h - What the programs over examples do -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_TRAIN_H
#define NNET3_TOOLS_TRAIN_H

namespace mlir::nnet3 {

/// The main function of nnet3-train.
int trainMain(int argc, char **argv);

/// The program nnet3-compute-prob: prints the objectives and the accuracy of a
/// network on a table of examples. Returns its exit status.
int computeProbMain(int argc, char **argv);

/// The program nnet3-combine: writes the best of the averages of the first n of
/// several models.
int combineMain(int argc, char **argv);
/// The same with chain examples.
int chainCombineMain(int argc, char **argv);

/// The program nnet3-show-progress: prints by how much, and to what effect, the
/// parameters of two models differ.
int showProgressMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_TRAIN_H
